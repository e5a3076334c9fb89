// The examples of README.md and docs/langgraph.md as they are compiled; `readme.test.ts` holds the two together.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { ToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  END,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import type { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { type ContentBlock, createHost, type Host, type Server, userView } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import {
  adapterServers,
  artifactOf,
  chainMiddleware,
  chainNode,
  chainState,
  createTools,
} from "@toolrail/langgraph";
import { createSingleStepGraph, singleStepMiddleware } from "@toolrail/langgraph/guard";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { createAgent } from "langchain";

type CallModel = (
  state: typeof MessagesAnnotation.State,
) => Promise<{ messages: typeof MessagesAnnotation.State.messages }>;

const show = (_content: readonly ContentBlock[]) => {};

export async function withCreateAgent(model: BaseChatModel, client: Server) {
  const host = await createHost({
    servers: { bank: client }, // an MCP client, or http(url) of @toolrail/core/connect
    // What is for the user alone.
    use: [{ name: "show", onHop: ({ hop }) => show(userView(hop).verbatim) }],
  });
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
  });
  return agent;
}

export function withStateGraph(host: Host, callModel: CallModel) {
  const tools = createTools(host);
  const graph = new StateGraph(chainState(MessagesAnnotation))
    .addNode("agent", chainNode(host, { agent: callModel }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent")
    .compile();
  return graph;
}

export async function answerQuestion(agent: ReturnType<typeof createAgent>, thread: string) {
  const config = { configurable: { thread_id: thread } };
  const pin = { action: "accept", content: { pin: "1234" } }; // or { action: "decline" }
  await agent.invoke(new Command({ resume: { input: { pin } } }), config);
}

export async function approve(model: BaseChatModel, host: Host, checkpointer: BaseCheckpointSaver) {
  const middleware = [chainMiddleware(host)];
  const agent = createAgent({ model, tools: createTools(host), middleware, checkpointer });
  const config = { configurable: { thread_id: "1" } };
  await agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
  return await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
}

export function showResults(message: ToolMessage, show: (...parts: unknown[]) => void) {
  for (const { result } of artifactOf(message)?.hops ?? []) {
    show(userView(result).content, result._meta);
  }
}

export async function withSecret(client: Server, secret: string) {
  const host = await createHost({ servers: { bank: client }, secret });
  return host;
}

export async function withAdapters(adapters: MultiServerMCPClient) {
  const host = await createHost({ servers: adapterServers(adapters) });
  return host;
}

export async function underGuard(model: BaseChatModel, host: Host) {
  const allow = { "bank.get_balance": "allow", "bank.close_account": "ask" } as const;
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware: [singleStepMiddleware(host, { allow })],
  });
  const graph = createSingleStepGraph(host, { model, allow, summarize: true });
  const { answer, outcome } = await graph.invoke({ query: "What is my balance?" });
  return { agent, answer, outcome };
}

interface Reporting {
  readonly checkpointer: BaseCheckpointSaver;
  report(what: unknown): object;
}

export function pipeInAGraph(host: Host, spec: object, { checkpointer, report }: Reporting) {
  const state = Annotation.Root({
    vars: Annotation<JsonObject>, // what the pipe is given
    ok: Annotation<boolean>, // its result
    error: Annotation<string>,
    result: Annotation<unknown>,
  });
  const graph = new StateGraph(state)
    .addNode("research", compilePipe(host, { spec }))
    .addNode("report", ({ ok, error, result }) => report(ok ? result : error))
    .addEdge(START, "research")
    .addEdge("research", "report")
    .addEdge("report", END)
    .compile({ checkpointer });
  return graph;
}
