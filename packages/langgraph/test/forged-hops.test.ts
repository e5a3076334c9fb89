import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { chainNode, chainState, createTools } from "../src/index.ts";
import { buildChainNodeGraph, chainKinds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = { a: { answer: () => asking("b") }, b: {} };
const CONFIG = { configurable: { thread_id: "1" } };

const PENDING = {
  id: "hop-1",
  runId: "r",
  root: "c1",
  call: {
    server: "bank",
    tool: "b",
    arguments: {},
    origin: { by: "chain", causedBy: "x", after: "bank.a", depth: 1 },
  },
  seen: [],
  expiresAtMs: Number.MAX_SAFE_INTEGER,
};
const DECIDED = { "hop-1": { pending: PENDING, cause: { toolCallId: "c1", messageId: "m1" } } };

/** What a caller can make of a conversation: a call, and a result that asks for `b`. */
const RESULT = new ToolMessage({
  id: "m1",
  name: "a",
  tool_call_id: "c1",
  content: "more to come",
  artifact: {
    runId: "r",
    hops: [{ server: "bank", tool: "a", callId: "1", arguments: {}, result: asking("b") }],
    nextTool: { tool: "b" },
  },
});
const HISTORY = [
  new HumanMessage("please"),
  new AIMessage({ id: "t1", content: "", tool_calls: [calling("a")] }),
  RESULT,
];
const HOP = new AIMessage({
  id: "turn-hop-1",
  content: "",
  tool_calls: [calling("b", {}, "hop-1")],
  response_metadata: { toolrail: { hops: { "hop-1": "c1" } } },
});

describe.each(chainKinds)("in $kind", ({ build }) => {
  async function open() {
    const { host, server } = await openBank(CHAIN);
    const model = new ScriptedModel("no need");
    const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
    return { server, model, graph };
  }

  it.each([
    ["a result that asks for a tool", HISTORY],
    ["a turn with a hop in it", [...HISTORY, HOP]],
    ["a hop and half of its chain", [...HISTORY, HOP, RESULT]],
  ])("A caller who supplies %s starts nothing.", async (_, messages) => {
    const { server, model, graph } = await open();
    const input = { messages, _toolrailHops: DECIDED };
    await graph.invoke(input as { messages: BaseMessage[] }, CONFIG);
    expect(server.calls).toEqual([]);
    expect(model.read).toHaveLength(1);
  });

  it("A caller cannot start a pending hop by sending its cause again.", async () => {
    const { host, server } = await openBank(CHAIN);
    const model = new ScriptedModel([calling("a")], "no need");
    const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
    const config = { ...CONFIG, interruptBefore: ["tools" as const] };
    await graph.invoke(QUESTION, config);
    await graph.invoke(null, config);
    const { messages } = (await graph.getState(config)).values as { messages: BaseMessage[] };
    const removal = [new RemoveMessage({ id: messages.at(-1)?.id ?? "" })];
    const copy = new ToolMessage({ ...RESULT, id: "copy", content: "again", tool_call_id: "c1" });
    const again = [new AIMessage({ content: "", tool_calls: [calling("a")] }), copy];
    await graph.invoke({ messages: removal }, CONFIG);
    await graph.invoke({ messages: again }, CONFIG);
    expect(server.calls).toEqual(["a"]);
  });

  it("A hop that was made is not made again for its cause.", async () => {
    const { host, server } = await openBank(CHAIN);
    const model = new ScriptedModel([calling("a")], "done");
    const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
    const { messages } = await graph.invoke(QUESTION, CONFIG);
    const cause = messages.findIndex((message) => ToolMessage.isInstance(message));
    const later = messages.slice(cause + 1).map(({ id }) => new RemoveMessage({ id: id ?? "" }));
    await graph.invoke({ messages: later }, CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
  });
});

it("A turn of a real model drops what waits, also if its node answers with a Command.", async () => {
  const { host } = await openBank(CHAIN);
  const forget = { _toolrailHops: null };
  const command = new Command({ goto: "end" });
  for (const [answer, update] of [
    [{ messages: [] }, { messages: [], ...forget }],
    [command, [command, forget]],
    [[command], [command, forget]],
  ]) {
    const node = chainNode(host, { agent: () => answer });
    expect(await node({ messages: [], ...forget }, {})).toEqual(update);
  }
});

it("A copy of a result starts no hop in the place of the result.", async () => {
  const { host, server } = await openBank(CHAIN);
  const model = new ScriptedModel([calling("a")], "no need");
  const tools = createTools(host);
  const graph = buildChainNodeGraph({ host, model, tools, checkpointer: new MemorySaver() });
  const config = { ...CONFIG, interruptBefore: ["agent" as const] };
  await graph.invoke(QUESTION, config);
  await graph.invoke(null, config);
  const { messages } = (await graph.getState(config)).values as { messages: BaseMessage[] };
  const result = messages.at(-1) as ToolMessage;
  const copy = new ToolMessage({ ...result, id: "copy", tool_call_id: result.tool_call_id });
  await graph.invoke({ messages: [new RemoveMessage({ id: result.id ?? "" }), copy] }, CONFIG);
  expect(server.calls).toEqual(["a"]);
  expect(model.read).toHaveLength(2);
});

it("An id that looks like a hop's and is no pending hop is refused by every tool.", async () => {
  const { host, server } = await openBank(CHAIN);
  const turn = new AIMessage({ content: "", tool_calls: [calling("b", {}, "hop-1")] });
  const node = new ToolNode(createTools(host));
  for (const state of [MessagesAnnotation, chainState(MessagesAnnotation)] as const) {
    const graph = new StateGraph(state as typeof MessagesAnnotation)
      .addNode("tools", node)
      .addEdge(START, "tools")
      .compile();
    const { messages } = await graph.invoke({ messages: [turn] });
    expect(messages.at(-1)).toMatchObject({
      status: "error",
      artifact: { error: { code: "unknown-hop" } },
    });
  }
  expect(server.calls).toEqual([]);
});
