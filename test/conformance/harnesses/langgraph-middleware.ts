import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { createGraphHarness } from "../langgraph-harness.ts";

/** Each hop a turn of the agent. */
export const harness = createGraphHarness("langgraph: chainMiddleware", ({ host, ...parts }) => {
  const middleware = [chainMiddleware(host)] as const;
  const agent = createAgent({ ...parts, tools: createTools(host), middleware });
  return (input, config) => agent.invoke(input, config);
});
