import { MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { openBank, QUESTION } from "./graphs.ts";
import {
  approve,
  pipeInAGraph,
  underGuard,
  withCreateAgent,
  withStateGraph,
} from "./readme-examples.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = { a: { answer: () => asking("b") }, b: {} };

it("The examples of agents and graphs run.", async () => {
  const { host, server } = await openBank(CHAIN);
  const script = () => new ScriptedModel([calling("a")], "done");
  await (await withCreateAgent(script(), server.client)).invoke(QUESTION);
  const model = script();
  const graph = withStateGraph(host, async ({ messages }) => ({
    messages: [await model.invoke(messages)],
  }));
  await graph.invoke(QUESTION);
  expect(server.calls).toEqual(["a", "b", "a", "b"]);
});

it("The example of an approval runs.", async () => {
  const { host, server } = await openBank(CHAIN, {
    authorize: ({ tool }) => (tool.name === "b" ? "ask" : "allow"),
  });
  const model = new ScriptedModel([calling("a")], "done");
  const { messages } = await approve(model, host, new MemorySaver());
  expect(messages.at(-1)?.text).toBe("done");
  expect(server.calls).toEqual(["a", "b"]);
});

it("The example of the guard runs.", async () => {
  const { host, server } = await openBank({
    get_balance: { definition: { outputSchema: { type: "object", required: ["balance"] } } },
  });
  const plan = '{"type":"call_tool","tool":"bank.get_balance","arguments":{}}';
  const { agent, answer, outcome } = await underGuard(new ScriptedModel(plan), host);
  expect(outcome).toMatchObject({ code: "untyped-output" });
  expect(answer).toContain("get_balance done");
  expect((await agent.invoke(QUESTION)).messages.at(-1)?.text).toBe(plan);
  expect(server.calls).toEqual(["get_balance"]);
});

it("The example of a pipe in a graph runs, and the node after it reads its result.", async () => {
  const { host } = await openBank(CHAIN);
  const told: unknown[] = [];
  const report = (what: unknown) => ({ error: String(told.push(what)) });
  const spec = { steps: [{ id: "a", tool: "bank.b" }], return: "done" };
  const graph = pipeInAGraph(host, spec, { checkpointer: new MemorySaver(), report });
  await graph.invoke({ vars: {} }, { configurable: { thread_id: "1" } });
  expect(told).toEqual(["done"]);
});
