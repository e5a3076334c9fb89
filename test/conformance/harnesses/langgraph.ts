import { createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { createGraphHarness } from "../langgraph-harness.ts";

/** The chain inside the call. */
export const harness = createGraphHarness(
  "langgraph: createTools",
  ({ host, ...parts }) => {
    const agent = createAgent({ ...parts, tools: createTools(host) });
    return (input, config) => agent.invoke(input, config);
  },
  { "approval/pending": "the hops of a call that waits come with its answer; see approval/resume" },
);
