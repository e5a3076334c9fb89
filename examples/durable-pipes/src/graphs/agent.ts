// An agent whose chains are turns of its graph.
import { INSTRUCTIONS } from "@toolrail/example-bank-chatbot/src/agents/agent.ts";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { getBank } from "./get-bank.ts";

export const graph = async () => {
  const { host, model } = await getBank();
  const agent = createAgent({
    model,
    systemPrompt: INSTRUCTIONS,
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
  });
  return agent.graph;
};
