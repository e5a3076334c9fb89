// The same pipe as a graph of LangGraph, and as one tool of an agent.
import { ChatOpenAI } from "@langchain/openai";
import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { createTools } from "@toolrail/langgraph";
import { compilePipe, createPipeTool } from "@toolrail/langgraph/pipe";
import { createAgent } from "langchain";
import type { Asking } from "./questions.ts";

/** One node for each step, nested pipes as subgraphs. No model takes part. */
export function runAsGraph(host: Host, spec: string, vars: JsonObject) {
  return compilePipe(host, { spec }).invoke({ vars });
}

/** The graph's own picture of itself, nested pipes opened. */
export async function drawGraph(host: Host, spec: string): Promise<string> {
  return (await compilePipe(host, { spec }).getGraphAsync({ xray: true })).drawMermaid();
}

/** Gives an agent `mcp_pipe`, or the three tools themselves. */
export async function askLangGraph({ host, modelUrl, question, tools }: Asking): Promise<string> {
  const agent = createAgent({
    model: new ChatOpenAI({
      model: "offline-rules",
      apiKey: "none",
      configuration: { baseURL: modelUrl },
    }),
    tools: tools === "mcp_pipe" ? createPipeTool(host) : createTools(host),
  });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
  return messages.at(-1)?.text ?? "";
}
