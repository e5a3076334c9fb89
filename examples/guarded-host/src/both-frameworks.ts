import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ChatOpenAI } from "@langchain/openai";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import type { Host } from "@toolrail/core";
import { createTools } from "@toolrail/langgraph";
import { createSingleStepGraph, singleStepMiddleware } from "@toolrail/langgraph/guard";
import { generateText } from "ai";
import { createAgent } from "langchain";
import { ALLOW } from "./open-host.ts";

const QUERY = "Read ticket 1042.";

/** The same host behind `generateText`: the model asks for three calls, and one is made. */
export async function askAiSdk(host: Host, modelUrl: string): Promise<string> {
  const provider = createOpenAICompatible({ name: "offline", baseURL: modelUrl });
  const model = provider.chatModel("offline-rules");
  const settings = withSingleStep(host, { model, singleStep: { allow: ALLOW } });
  return (await generateText({ ...settings, prompt: QUERY })).text;
}

/** The same host behind `createAgent`. */
export async function askCreateAgent(host: Host, modelUrl: string): Promise<string> {
  const agent = createAgent({
    model: createChatModel(modelUrl),
    tools: createTools(host),
    middleware: [singleStepMiddleware(host, { allow: ALLOW })],
  });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: QUERY }] });
  return messages.at(-1)?.text ?? "";
}

/** The host's loop as a graph of LangGraph. */
export async function askGraph(host: Host, modelUrl: string): Promise<string> {
  const graph = createSingleStepGraph(host, { model: createChatModel(modelUrl), allow: ALLOW });
  return (await graph.invoke({ query: QUERY })).answer;
}

/** The picture of that graph, in Mermaid. */
export async function drawGraph(host: Host, modelUrl: string): Promise<string> {
  const graph = createSingleStepGraph(host, { model: createChatModel(modelUrl), allow: ALLOW });
  return (await graph.getGraphAsync()).drawMermaid();
}

function createChatModel(baseURL: string): ChatOpenAI {
  return new ChatOpenAI({ model: "offline-rules", apiKey: "none", configuration: { baseURL } });
}
