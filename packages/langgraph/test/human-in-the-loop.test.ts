import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { humanInTheLoopMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools, isHopMessage } from "../src/index.ts";
import { buildChainAgent, chainKinds } from "./builds.ts";
import { openBank, outline, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = {
  a: { answer: () => asking("b", { k: 1 }) },
  b: { answer: () => asking("c") },
  c: { answer: () => asking("d") },
  d: {},
};
const SECRET = "the same for all hosts of an application";
const CONFIG = { configurable: { thread_id: "1" } };

function decide(...decisions: object[]) {
  return new Command({ resume: { decisions } });
}

describe("humanInTheLoopMiddleware", () => {
  async function open(interruptOn: readonly string[], tools = CHAIN, turn = [calling("a")]) {
    const { host, server } = await openBank(tools);
    const model = new ScriptedModel(turn, "done");
    const asked = Object.fromEntries(interruptOn.map((name) => [name, true]));
    // The declared parameter of this version is `never` under TypeScript 7.
    const hitl = humanInTheLoopMiddleware({ interruptOn: asked } as never);
    const checkpointer = new MemorySaver();
    const agent = buildChainAgent({
      host,
      model,
      tools: createTools(host),
      checkpointer,
      besides: hitl,
    });
    return { server, model, agent };
  }

  it("The middleware asks about each hop, and an approved one runs once.", async () => {
    const { server, model, agent } = await open(["b", "c"]);
    const paused = await agent.invoke(QUESTION, CONFIG);
    expect(paused).toHaveProperty("__interrupt__.0.value.actionRequests.0", {
      name: "b",
      args: { k: 1 },
      description: expect.any(String),
    });
    expect(server.calls).toEqual(["a"]);
    await agent.invoke(decide({ type: "approve" }), CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
    await agent.invoke(decide({ type: "approve" }), CONFIG);
    expect(server.calls).toEqual(["a", "b", "c", "d"]);
    expect(model.read).toHaveLength(2);
  });

  it.each([
    ["other arguments", { name: "b", args: { k: 2 } }, "its arguments are not those"],
    ["another tool", { name: "c", args: {} }, "asked for another call"],
  ])(
    "A hop that a person edits into %s is refused, and the model is told.",
    async (_, editedAction, why) => {
      const { server, model, agent } = await open(["b"]);
      await agent.invoke(QUESTION, CONFIG);
      const { messages } = await agent.invoke(decide({ type: "edit", editedAction }), CONFIG);
      expect(server.calls).toEqual(["a"]);
      expect(model.read).toHaveLength(2);
      const last = toolMessages(messages).at(-1);
      expect(last).toMatchObject({ status: "error", artifact: { error: { code: "unknown-hop" } } });
      expect(last?.text).toContain(why);
    },
  );

  it("A rejected hop is not made, and the model is told.", async () => {
    const { server, model, agent } = await open(["c"]);
    await agent.invoke(QUESTION, CONFIG);
    await agent.invoke(decide({ type: "reject", message: "not today" }), CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
    expect(model.read).toHaveLength(2);
    const read = toolMessages(model.read[1] ?? []);
    expect(read).toHaveLength(1);
    expect(read[0]).toMatchObject({ status: "error", tool_call_id: "c1" });
    expect(read[0]?.text).toContain("not today");
  });

  it("The middleware asks about hops of parallel chains in one go.", async () => {
    const { server, agent } = await open(["b", "d"], CHAIN, [
      calling("a", {}, "c1"),
      calling("c", {}, "c2"),
    ]);
    const paused = await agent.invoke(QUESTION, CONFIG);
    expect(paused).toHaveProperty("__interrupt__.0.value.actionRequests.length", 2);
    await agent.invoke(decide({ type: "approve" }, { type: "approve" }), CONFIG);
    expect(server.calls.toSorted()).toEqual(["a", "b", "c", "c", "d"]);
  });

  it("The middleware asks again about the other hops of a turn if one of them was rejected.", async () => {
    const { server, model, agent } = await open(["b"], CHAIN, [
      calling("a", {}, "c1"),
      calling("a", {}, "c2"),
    ]);
    await agent.invoke(QUESTION, CONFIG);
    const paused = await agent.invoke(decide({ type: "reject" }, { type: "approve" }), CONFIG);
    expect(paused).toHaveProperty("__interrupt__.0.value.actionRequests.length", 1);
    expect(server.calls).toEqual(["a", "a"]);
    expect(model.read).toHaveLength(1);
    await agent.invoke(decide({ type: "approve" }), CONFIG);
    expect(server.calls).toEqual(["a", "a", "b", "c", "d"]);
    expect(toolMessages(model.read[1] ?? []).map(({ status }) => status)).toEqual([
      "error",
      "success",
    ]);
  });
});

describe.each(chainKinds)("interruptBefore in $kind", ({ build }) => {
  async function open() {
    const { host, server } = await openBank(CHAIN, { secret: SECRET });
    const checkpointer = new MemorySaver();
    const model = new ScriptedModel([calling("a")], "done");
    const graph = build({ host, model, tools: createTools(host), checkpointer });
    const config = { ...CONFIG, interruptBefore: ["tools" as const] };
    return { host, server, model, checkpointer, graph, config };
  }

  it("The graph stops before each hop, and each runs once.", async () => {
    const { server, graph, config } = await open();
    await graph.invoke(QUESTION, config);
    for (const calls of [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]) {
      await graph.invoke(null, config);
      expect(server.calls).toEqual(calls);
    }
  });

  it("A hop that is edited in the state is refused.", async () => {
    const { server, graph, config } = await open();
    await graph.invoke(QUESTION, config);
    await graph.invoke(null, config);
    const { messages } = (await graph.getState(config)).values as { messages: AIMessage[] };
    const turn = messages.at(-1);
    expect(turn && isHopMessage(turn)).toBe(true);
    const [call] = turn?.tool_calls ?? [];
    const edited = new AIMessage({
      ...(turn?.id && { id: turn.id }),
      content: "",
      tool_calls: call ? [{ ...call, args: { k: 3 } }] : [],
      response_metadata: turn?.response_metadata ?? {},
    });
    await graph.updateState(config, { messages: [edited] });
    await graph.invoke(null, config);
    expect(server.calls).toEqual(["a"]);
  });

  it("Another host with the same secret continues from the checkpoint, at the true depth.", async () => {
    const first = await open();
    await first.graph.invoke(QUESTION, first.config);
    await first.graph.invoke(null, first.config);
    const { host, server } = await openBank(CHAIN, {
      secret: SECRET,
      limits: { maxChainDepth: 3 },
    });
    const model = new ScriptedModel("done");
    const { checkpointer } = first;
    const graph = build({ host, model, tools: createTools(host), checkpointer });
    const { messages } = await graph.invoke(null, CONFIG);
    expect(first.server.calls).toEqual(["a"]);
    expect(server.calls).toEqual(["b", "c"]);
    expect(toolMessages(messages).at(-1)?.artifact).toMatchObject({
      ended: "depth-limit",
      hops: [{ origin: { by: "chain", depth: 2 } }],
    });
    expect(outline(model.read[0] ?? [])[2]).toContain("depth-limit");
  });
});
