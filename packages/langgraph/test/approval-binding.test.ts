import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { type ApprovalRequest, createTools } from "../src/index.ts";
import { buildChainAgent, buildChainNodeGraph, type ChainParts, kinds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const APPROVE = new Command({ resume: { decisions: [{ type: "approve" }] } });
const CONFIG = { configurable: { thread_id: "1" } };

const graphs = [
  { place: "createAgent", build: (parts: ChainParts) => kinds[0].build(parts) },
  { place: "ToolNode", build: (parts: ChainParts) => kinds[1].build(parts) },
  { place: "createAgent with chainMiddleware", build: buildChainAgent },
  { place: "ToolNode with chainNode", build: buildChainNodeGraph },
];

/** The names of the tools that a person is asked about. */
function asked(state: object): (string | undefined)[] {
  const { __interrupt__: interrupts = [] } = state as {
    __interrupt__?: { value: ApprovalRequest }[];
  };
  return interrupts.map(({ value }) => value.actionRequests[0]?.name);
}

describe.each(graphs)("in $place", ({ build }) => {
  async function pause(turn = [calling("c", { n: 1 }, "c1"), calling("d", {}, "c2")]) {
    const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
    const model = new ScriptedModel(turn, "done");
    const checkpointer = new MemorySaver();
    const graph = build({ host, model, tools: createTools(host), checkpointer });
    return { server, graph, paused: await graph.invoke(QUESTION, CONFIG) };
  }

  it("An answer without an id approves no call that the person was not asked about alone.", async () => {
    const { server, graph, paused } = await pause();
    let state: object = paused;
    for (let round = 0; round < 3 && asked(state).length > 0; round++) {
      const before = asked(state);
      const made = server.calls.length;
      state = await graph.invoke(APPROVE as never, CONFIG);
      expect(server.calls.slice(made)).toEqual(before.length === 1 ? before : []);
    }
  });

  it("An answer that one call took is not taken by another when the run goes on.", async () => {
    const { server, graph, paused } = await pause();
    await graph.invoke(APPROVE as never, CONFIG);
    const made = server.calls.length;
    await graph.invoke(null, CONFIG);
    expect(server.calls).toHaveLength(made);
    expect(made).toBe(asked(paused).length === 1 ? 1 : 0);
  });

  it("An answer to one hop is not taken by the next when the run goes on.", async () => {
    const tools = { a: { answer: () => asking("b") }, b: {} };
    const { host, server } = await openBank(tools, { authorize: () => "ask" });
    const model = new ScriptedModel([calling("a")], "done");
    const checkpointer = new MemorySaver();
    const graph = build({ host, model, tools: createTools(host), checkpointer });
    await graph.invoke(QUESTION, CONFIG);
    await graph.invoke(APPROVE as never, CONFIG);
    await graph.invoke(null, CONFIG);
    expect(server.calls).toEqual(["a"]);
    await graph.invoke(APPROVE as never, CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
  });

  it("An answer to a call is not taken for the call with other arguments.", async () => {
    const { server, graph } = await pause([calling("c", { n: 1 }, "c1")]);
    const target = "graph" in graph ? graph.graph : graph;
    const { values } = await target.getState(CONFIG);
    const turn = (values as { messages: BaseMessage[] }).messages.at(-1) as AIMessage;
    const edited = new AIMessage({
      ...(turn.id && { id: turn.id }),
      content: "",
      tool_calls: [calling("c", { n: 1_000_000 }, "c1")],
    });
    await (target as ReturnType<typeof buildChainNodeGraph>).updateState(CONFIG, {
      messages: [edited],
    });
    const state = await graph.invoke(APPROVE as never, CONFIG);
    expect(server.calls).toEqual([]);
    expect(state).toHaveProperty("__interrupt__.0.value.actionRequests.0.args", { n: 1_000_000 });
    await graph.invoke(APPROVE as never, CONFIG);
    expect(server.seen.map(({ arguments: args }) => args)).toEqual([{ n: 1_000_000 }]);
  });
});
