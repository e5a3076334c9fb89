import { readFileSync } from "node:fs";
import { MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { approve, underGuard, withCreateAgent, withStateGraph } from "./readme-examples.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = { a: { answer: () => asking("b") }, b: {} };
const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The lines of code that say something: indentation and imports are the file's own. */
function codeOf(text: string): string {
  return text
    .replaceAll(/^ +/gm, "")
    .replaceAll(/^import .*\n/gm, "")
    .trim();
}

it("has examples that are compiled as they stand", () => {
  const compiled = codeOf(read("readme-examples.ts"));
  const blocks = [...read("../README.md").matchAll(/```ts\n(.*?)```/gs)];
  expect(blocks).toHaveLength(5);
  for (const [, code = ""] of blocks) expect(compiled).toContain(codeOf(code));
});

it("has examples that run", async () => {
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

it("has an example of an approval that runs", async () => {
  const { host, server } = await openBank(CHAIN, {
    authorize: ({ tool }) => (tool.name === "b" ? "ask" : "allow"),
  });
  const model = new ScriptedModel([calling("a")], "done");
  const { messages } = await approve(model, host, new MemorySaver());
  expect(messages.at(-1)?.text).toBe("done");
  expect(server.calls).toEqual(["a", "b"]);
});

it("has an example of the guard that runs", async () => {
  const { host, server } = await openBank({ get_balance: {} });
  const plan = '{"type":"call_tool","tool":"bank.get_balance","arguments":{}}';
  const { agent, answer, outcome } = await underGuard(new ScriptedModel(plan), host);
  expect(outcome).toMatchObject({ code: "untyped-output" });
  expect(answer).toContain("get_balance done");
  expect((await agent.invoke(QUESTION)).messages.at(-1)?.text).toBe(plan);
  expect(server.calls).toEqual(["get_balance"]);
});
