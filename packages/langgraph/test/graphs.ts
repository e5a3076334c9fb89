import type { BaseMessage } from "@langchain/core/messages";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { createHost, type Host, type HostOptions } from "@toolrail/core";
import { createAgent, type humanInTheLoopMiddleware } from "langchain";
import { onTestFinished } from "vitest";
import { createTestServer, type TestTool } from "../../core/test/servers.ts";
import { type ChainOptions, chainMiddleware, chainNode, chainState } from "../src/index.ts";
import type { ScriptedModel } from "./scripted-model.ts";

/** A host over one server in memory, `bank`, closed when the test is over. */
export async function openBank(
  tools: Record<string, TestTool>,
  options: Omit<HostOptions, "servers"> = {},
) {
  const server = await createTestServer(tools);
  const host = await createHost({ ...options, servers: { bank: server.client } });
  onTestFinished(() => host.close());
  return { host, server };
}

export interface GraphParts {
  readonly model: ScriptedModel;
  readonly tools: StructuredToolInterface[];
  readonly checkpointer?: BaseCheckpointSaver;
}

export interface ChainParts extends GraphParts, ChainOptions {
  readonly host: Host;
  readonly hitl?: ReturnType<typeof humanInTheLoopMiddleware>;
  readonly interruptBefore?: ("agent" | "tools")[];
}

/** The graph that everybody writes: an agent node, a `ToolNode`, and the condition between them. */
export function buildToolNodeGraph({ model, tools, checkpointer }: GraphParts) {
  const bound = model.bindTools(tools);
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: await bound.invoke(messages) }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent")
    .compile(checkpointer ? { checkpointer } : {});
}

/** The same graph with native hops: two words more. */
export function buildChainNodeGraph({ host, model, tools, checkpointer, ...rest }: ChainParts) {
  const bound = model.bindTools(tools);
  const { interruptBefore, ...options } = rest;
  const ask = async ({ messages }: typeof MessagesAnnotation.State) => ({
    messages: await bound.invoke(messages),
  });
  return new StateGraph(chainState(MessagesAnnotation))
    .addNode("agent", chainNode(host, ask, options))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent")
    .compile({
      ...(checkpointer && { checkpointer }),
      ...(interruptBefore && { interruptBefore }),
    });
}

export function buildChainAgent({
  host,
  model,
  tools,
  checkpointer,
  hitl,
  ...options
}: ChainParts) {
  const middleware = [chainMiddleware(host, options), ...(hitl ? [hitl] : [])];
  return createAgent({ model, tools, middleware, ...(checkpointer && { checkpointer }) });
}

/** Both ways to native hops, by name. */
export const chainKinds = [
  { kind: "createAgent with chainMiddleware", build: buildChainAgent },
  { kind: "StateGraph with chainNode", build: buildChainNodeGraph },
] as const;

/** Both ways to run tools in a graph, by name. */
export const kinds = [
  { kind: "createAgent", build: (parts: GraphParts) => createAgent(parts) },
  { kind: "StateGraph with ToolNode", build: buildToolNodeGraph },
] as const;

/** A conversation that a user opens. */
export const QUESTION = { messages: [{ role: "user", content: "please" }] };

export function toolMessages(messages: readonly BaseMessage[]): ToolMessage[] {
  return messages.filter((message) => ToolMessage.isInstance(message));
}

/** One line for each message: who speaks, the calls or the text. */
export function outline(messages: readonly BaseMessage[]): string[] {
  return messages.map((message) => {
    if (ToolMessage.isInstance(message)) return `tool ${message.tool_call_id}: ${message.text}`;
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    const names = calls.map(({ name }) => name).join(", ");
    return `${message.type}: ${names || message.text}`;
  });
}
