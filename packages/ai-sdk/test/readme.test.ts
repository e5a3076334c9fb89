import { createHost } from "@toolrail/core";
import { expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { majorNamed, scriptModel } from "./majors.ts";
import { chainInsideOneCall, eachHopAStep, oneCallAQuery, problemOf } from "./readme-examples.ts";

const approvalSecret = "a secret of the test, of 32 characters";

it("The examples of the README run.", async () => {
  const { client: bank, calls } = await createTestServer({
    a: { answer: () => asking("b") },
    b: {},
  });
  const messages = [{ role: "user" as const, content: "hi" }];
  const script = () => scriptModel(majorNamed("ai 7"), [{ tool: "a" }], ["final"]);
  const result = await chainInsideOneCall({
    bank,
    model: script().model,
    messages,
    approvalSecret,
  });
  expect(await result.text).toBe("final");
  const stream = await eachHopAStep({
    ...{ bank, model: script().model, messages, approvalSecret },
  });
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(JSON.stringify(chunks)).toContain("final");
  expect(calls).toEqual(["a", "b", "a", "b"]);
});

it("The example of a page sees the problems of tools.", async () => {
  const { client: bank } = await createTestServer({
    get_balance: { answer: () => ({ content: [], isError: true }) },
  });
  const tools = createTools(await createHost({ servers: { bank } }));
  const output = await tools.get_balance?.execute({}, { toolCallId: "1", messages: [] });
  expect(problemOf({ output })).toBe("The tool reported an error.");
  expect(problemOf({ output: "of another tool" })).toBeUndefined();
});

it("The example of the guard runs.", async () => {
  const { client: bank, calls } = await createTestServer({
    get_balance: {
      definition: { outputSchema: { type: "object" } },
      answer: () => ({ content: [], structuredContent: { balance: 12.34 } }),
    },
    pay: {},
  });
  const { model } = scriptModel(majorNamed("ai 7"), [{ tool: "get_balance" }, { tool: "pay" }]);
  expect(await oneCallAQuery({ bank, model, messages: [], approvalSecret })).toContain("12.34");
  expect(calls).toEqual(["get_balance"]);
});
