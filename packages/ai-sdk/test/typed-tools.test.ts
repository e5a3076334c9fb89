import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createTestServer } from "../../core/test/servers.ts";
import { createTools, withChaining } from "../src/index.ts";
import { FOR_USER, text } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { generate } from "./runs.ts";

const typed = { get_balance: "bank.get_balance" } as const;

async function openBank(answer: object) {
  const { client } = await createTestServer({ get_balance: { answer: () => answer }, log: {} });
  const schema = z.object({ balance: z.number() });
  const schemas = { "bank.get_balance": { input: z.object({}), output: schema } };
  return createHost({
    servers: { bank: client },
    schemas,
    use: [{ name: "listener", onHop: () => {} }],
  });
}

const BALANCE = { content: [], structuredContent: { balance: 12 } };

describe.each(majors)("typed tools on $name", (major) => {
  it.each(["createTools", "withChaining"] as const)(
    "They are static, with structured output, beside others that are dynamic: %s.",
    async (way) => {
      const host = await openBank(BALANCE);
      const calls = [{ tool: "get_balance" }, { tool: "log" }];
      const { model } = scriptModel(major, calls, ["done"]);
      const settings =
        way === "createTools"
          ? { model, tools: createTools(host, { typed }), stopWhen: major.sdk.stepCountIs(3) }
          : withChaining(host, { model, chaining: { typed } });
      const { steps } = await generate(major, { prompt: "hi", ...settings } as never);
      const results = steps.flatMap(({ toolResults }) => toolResults) as unknown[];
      expect(results).toMatchObject([
        { toolName: "get_balance", output: { structured: { balance: 12 } } },
        { toolName: "log", dynamic: true },
      ]);
      expect(results[0]).not.toHaveProperty("dynamic", true);
      expect(results[1]).not.toHaveProperty("output.structured");
    },
  );
});

describe("the structured output of a typed tool", () => {
  async function structured(answer: object): Promise<unknown> {
    const tools = createTools(await openBank(answer), { typed });
    let last: object = {};
    const options = { toolCallId: "1", messages: [] };
    for await (const output of tools.get_balance.execute({}, options)) last = output;
    return (last as { structured?: unknown }).structured;
  }

  it("is left out if it is for the user alone, invalid, or part of an error", async () => {
    expect(await structured(BALANCE)).toEqual({ balance: 12 });
    expect(await structured({ ...BALANCE, content: [text("12", FOR_USER)] })).toBeUndefined();
    expect(await structured({ ...BALANCE, structuredContent: { balance: "x" } })).toBeUndefined();
    expect(await structured({ ...BALANCE, isError: true })).toBeUndefined();
  });
});

it("A name that the tool does not have for models is refused, with the right one.", async () => {
  const host = await openBank(BALANCE);
  const wrong = { balance: "bank.get_balance" } as const;
  const message =
    'whose name for models is "get_balance". Write { get_balance: "bank.get_balance" }.';
  expect(() => createTools(host, { typed: wrong })).toThrow(message);
  const hidden = { tools: ["bank.log"], typed };
  expect(() => createTools(host, hidden)).toThrow("which is not offered");
});
