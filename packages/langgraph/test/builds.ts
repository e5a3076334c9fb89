import type { StructuredToolInterface } from "@langchain/core/tools";
import {
  type BaseCheckpointSaver,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import type { Host } from "@toolrail/core";
import { createAgent, type humanInTheLoopMiddleware } from "langchain";
import { type ChainOptions, chainMiddleware, chainNode, chainState } from "../src/index.ts";
import type { ScriptedModel } from "./scripted-model.ts";

export interface GraphParts {
  readonly model: ScriptedModel;
  readonly tools: StructuredToolInterface[];
  readonly checkpointer?: BaseCheckpointSaver;
}

export interface ChainParts extends GraphParts, ChainOptions {
  readonly host: Host;
  readonly besides?: ReturnType<typeof humanInTheLoopMiddleware>;
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
    .addNode("agent", chainNode(host, { agent: ask, ...options }))
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
  besides,
  ...options
}: ChainParts) {
  const middleware = [chainMiddleware(host, options), ...(besides ? [besides] : [])];
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

/** Every way to run a chain, by a name of one word. */
export const builds = {
  inside: ({ model, tools, checkpointer }: ChainParts) =>
    createAgent({ model, tools, ...(checkpointer && { checkpointer }) }),
  middleware: buildChainAgent,
  node: buildChainNodeGraph,
};
