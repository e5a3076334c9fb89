import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { majorNamed, scriptModel } from "./majors.ts";
import { chainInsideOneCall, eachHopAStep, oneCallAQuery } from "./readme-examples.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const unindented = (text: string) => text.replaceAll(/^ +/gm, "");

it("has examples that are compiled as they stand", () => {
  const compiled = unindented(read("readme-examples.ts"));
  const blocks = [...read("../README.md").matchAll(/```ts\n(.*?)```/gs)];
  expect(blocks).toHaveLength(3);
  for (const [, code = ""] of blocks) expect(compiled).toContain(unindented(code));
});

it("has examples that run", async () => {
  const { client: bank, calls } = await createTestServer({
    a: { answer: () => asking("b") },
    b: {},
  });
  const messages = [{ role: "user" as const, content: "hi" }];
  const script = () => scriptModel(majorNamed("ai 7"), [{ tool: "a" }], ["final"]);
  const result = await chainInsideOneCall({ bank, model: script().model, messages });
  expect(await result.text).toBe("final");
  const stream = await eachHopAStep({ bank, model: script().model, messages });
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(JSON.stringify(chunks)).toContain("final");
  expect(calls).toEqual(["a", "b", "a", "b"]);
});

it("has an example of the guard that runs", async () => {
  const { client: bank, calls } = await createTestServer({ get_balance: {}, pay: {} });
  const { model } = scriptModel(majorNamed("ai 7"), [{ tool: "get_balance" }, { tool: "pay" }]);
  expect(await oneCallAQuery({ bank, model, messages: [] })).toContain("get_balance done");
  expect(calls).toEqual(["get_balance"]);
});
