import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { chainMiddleware, createTools, type ToolCallResult } from "../src/index.ts";
import { builds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = { a: { answer: () => asking("b") }, b: { answer: () => asking("c") }, c: {} };
const CONFIG = { configurable: { thread_id: "1" } };
const APPROVE = new Command({ resume: { decisions: [{ type: "approve" }] } });

describe.each(Object.entries(builds))("in %s", (_, build) => {
  async function open(asked: readonly string[] = []) {
    const { host, server } = await openBank(CHAIN, {
      authorize: ({ tool }) => (asked.includes(tool.name) ? "ask" : "allow"),
    });
    const hops: string[] = [];
    const results: ToolCallResult[] = [];
    const tools = createTools(host, {
      onHop: ({ hop }) => void hops.push(hop.tool),
      onResult: (result) => void results.push(result),
    });
    const model = new ScriptedModel([calling("a")], "done");
    const graph = build({ host, model, tools, checkpointer: new MemorySaver() });
    return { server, graph, hops, results };
  }

  it("Each finished call is reported once, and the whole chain when it has ended.", async () => {
    const { graph, hops, results } = await open();
    await graph.invoke(QUESTION, CONFIG);
    expect(hops).toEqual(["a", "b", "c"]);
    expect(results.map(({ chain }) => [chain.ended, chain.hops.map(({ tool }) => tool)])).toEqual([
      ["complete", ["a", "b", "c"]],
    ]);
  });

  it("A call is reported once even if the run waited for a person before and after it.", async () => {
    const asked = build === builds.inside ? ["a"] : ["b", "c"];
    const { graph, hops, results } = await open(asked);
    await graph.invoke(QUESTION, CONFIG);
    expect(results).toEqual([]);
    for (const _ of asked) await graph.invoke(APPROVE as never, CONFIG);
    expect(hops).toEqual(["a", "b", "c"]);
    expect(results).toHaveLength(1);
  });
});

it("What listeners throw does not undo the call, and is one warning for each of them.", async () => {
  const warned: unknown[] = [];
  const { host, server } = await openBank(CHAIN, {
    onEvent: (event) => void ("listener" in event && warned.push(event.listener)),
  });
  const fail = () => Promise.reject(new Error("The page is gone."));
  const message = await createTools(host, { onHop: fail, onResult: fail })[0]?.invoke(calling("a"));
  expect(message).toMatchObject({ status: "success" });
  expect(server.calls).toEqual(["a", "b", "c"]);
  expect(warned).toEqual(["onHop", "onResult"]);
});

it("The middleware reports a call of a tool that only hops reach.", async () => {
  const hidden = { definition: { _meta: { ui: { visibility: ["app"] } } } };
  const { host } = await openBank({ a: { answer: () => asking("b") }, b: hidden });
  const told: string[] = [];
  const { createAgent } = await import("langchain");
  const agent = createAgent({
    model: new ScriptedModel([calling("a")], "done"),
    tools: createTools(host),
    middleware: [chainMiddleware(host, { onHop: ({ hop }) => void told.push(hop.tool) })],
  });
  await agent.invoke(QUESTION);
  expect(told).toEqual(["b"]);
});
