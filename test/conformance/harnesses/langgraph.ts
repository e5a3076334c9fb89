import { createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { createAgentHarness } from "../langgraph-harness.ts";

export const harness = createAgentHarness("langgraph: createTools", ({ host, model }) => {
  const agent = createAgent({ model, tools: createTools(host) });
  return (input, config) => agent.invoke(input, config);
});
