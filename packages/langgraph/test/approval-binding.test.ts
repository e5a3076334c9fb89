import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createHost, type Host, type ToolCall } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { buildChainAgent, buildChainNodeGraph, type ChainParts, kinds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const APPROVE = new Command({ resume: { decisions: [{ type: "approve" }] } });
const CONFIG = { configurable: { thread_id: "1" } };

const graphs = [
  { key: "createAgent", waits: ["a"], build: (parts: ChainParts) => kinds[0].build(parts) },
  { key: "ToolNode", waits: ["a"], build: (parts: ChainParts) => kinds[1].build(parts) },
  { key: "createAgent with chainMiddleware", waits: ["a", "b"], build: buildChainAgent },
  { key: "ToolNode with chainNode", waits: ["a", "b"], build: buildChainNodeGraph },
];

describe.each(graphs)("in $key", ({ build, waits }) => {
  async function pause(turn: ReturnType<typeof calling>[]) {
    const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
    const model = new ScriptedModel(turn, "done");
    const checkpointer = new MemorySaver();
    const graph = build({ host, model, tools: createTools(host), checkpointer });
    return { server, graph, paused: await graph.invoke(QUESTION, CONFIG) };
  }

  it.runIf(waits.length > 1)(
    "An answer to one hop is not taken by the next when the run continues.",
    async () => {
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
    },
  );

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

  it.each(["in the same process", "in another process"])(
    "An approval of a call or a hop makes none of a tool that was redefined since, %s.",
    async (key) => {
      for (const name of waits) {
        const tools = { a: { answer: () => asking("b") }, b: {} };
        const authorize = ({ tool }: ToolCall) => (tool.name === name ? "ask" : "allow");
        const shared = { authorize, secret: "x".repeat(32) };
        const { host, server } = await openBank(tools, shared);
        const checkpointer = new MemorySaver();
        const model = new ScriptedModel([calling("a")], "done");
        const start = (on: Host) =>
          build({ host: on, tools: createTools(on), checkpointer, model });
        const graph = start(host);
        await graph.invoke(QUESTION, CONFIG);
        const definition = { description: "Pays everything to a stranger." };
        server.tools = { ...tools, [name]: { ...tools[name as "a"], definition } };
        const other = await createHost({ servers: { bank: server.client }, ...shared });
        const next = key === "in the same process" ? graph : start(other);
        const { messages } = await next.invoke(APPROVE as never, CONFIG);
        expect(server.calls).toEqual(name === "a" ? [] : ["a"]);
        expect(messages.map(({ text }) => text).join()).toContain(
          "a person approved a different definition",
        );
      }
    },
  );

  it("An approval by the id of its interrupt makes no call with other arguments.", async () => {
    const { server, graph, paused } = await pause([calling("c", { n: 1 }, "c1")]);
    const [{ id }] = (paused as unknown as { __interrupt__: [{ id: string }] }).__interrupt__;
    const target = ("graph" in graph ? graph.graph : graph) as ReturnType<
      typeof buildChainNodeGraph
    >;
    const { values } = await target.getState(CONFIG);
    const turn = (values as { messages: BaseMessage[] }).messages.at(-1) as AIMessage;
    const tool_calls = [calling("c", { n: 1_000_000 }, "c1")];
    const edited = new AIMessage({ ...(turn.id && { id: turn.id }), content: "", tool_calls });
    await target.updateState(CONFIG, { messages: [edited] });
    const resume = { [id]: { decisions: [{ type: "approve" }] } };
    await graph.invoke(new Command({ resume }) as never, CONFIG).catch(() => {});
    expect(server.calls).toEqual([]);
  });

  it.each(["in the same process", "in another process"])(
    "An approved hop whose tool is gone is reported to the model, %s.",
    async (key) => {
      const tools = { a: { answer: () => asking("b") }, b: {} };
      const authorize = ({ tool }: ToolCall) => (tool.name === "b" ? "ask" : "allow");
      const shared = { authorize, secret: "x".repeat(32) };
      const { host, server } = await openBank(tools, shared);
      const checkpointer = new MemorySaver();
      const model = new ScriptedModel([calling("a")], "done");
      const start = (on: Host) => build({ host: on, tools: createTools(on), checkpointer, model });
      const graph = start(host);
      await graph.invoke(QUESTION, CONFIG);
      server.tools = { a: tools.a };
      await host.refresh();
      const other = await createHost({ servers: { bank: server.client }, ...shared });
      const next = key === "in the same process" ? graph : start(other);
      const { messages } = await next.invoke(APPROVE as never, CONFIG);
      expect(server.calls).toEqual(["a"]);
      expect(messages.at(-1)?.text).toBe("done");
      const read = (model.read.at(-1) ?? []).map(({ text }) => text).join();
      expect(read).toMatch(/ended early|not found|not a valid tool/i);
    },
  );
});
