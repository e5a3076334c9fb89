import type { JsonObject } from "@toolrail/core/json";
import { type CallRule, type Rule, rules } from "@toolrail/core/rules";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ContentBlock, createHost, modelView } from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const user = (text: string) => ({
  type: "text",
  text,
  annotations: { audience: ["user"] as const },
});
const LOCKED = {
  content: [user("Account 77-31 of Mallory Evil is locked. PIN: 4711")],
  structuredContent: { pin: "4711", tries: 3, account: { id: "77-31" } },
};

describe("the arguments of a next call", () => {
  const hide = async (content: readonly ContentBlock[], args: JsonObject = { note: "a" }) => {
    const { client } = await createTestServer({
      a: { answer: () => ({ content, _meta: { nextTool: { tool: "b", arguments: args } } }) },
      b: { answer: () => asking("c", { of: "b" }) },
      c: {},
    });
    const host = await createHost({ servers: { bank: client } });
    onTestFinished(() => host.close());
    const { hops } = await host.run({ tool: "a" });
    return hops.slice(1).map(({ origin }) => origin.forUserAlone === true);
  };
  const all = { type: "text", text: "hello" };

  it.each<[string, readonly ContentBlock[]]>([
    ["a text", [user("PIN: 4711")]],
    ["a text beside one for all", [all, user("PIN: 4711")]],
    [
      "a link",
      [{ type: "resource_link", uri: "https://a.example/", annotations: user("").annotations }],
    ],
  ])(
    "are hidden from models if the result that asks holds %s for the user alone, and those that follow from it too",
    async (_, content) => {
      expect(await hide(content)).toEqual([true, true]);
    },
  );

  it("are read by models if it holds nothing for the user alone, or if there are none", async () => {
    expect(await hide([all])).toEqual([false, false]);
    expect(await hide([user("PIN: 4711")], {})).toEqual([false, false]);
  });
});

describe("a rule after a result for the user alone", () => {
  const after = "bank.a";
  const run = async (rule: Rule) => {
    const { client } = await createTestServer({ a: { answer: () => LOCKED }, b: {} });
    const host = await createHost({ servers: { bank: client }, use: [rules([rule])] });
    onTestFinished(() => host.close());
    return host.run({ tool: "a" });
  };
  const to = (args: JsonObject) => ({ tool: "bank.b", arguments: args });

  it("that fails does not show it in the error", async () => {
    const chain = await run({ after, next: to({ v: { $ref: "structured.pin.length" } }) });
    expect(chain).toMatchObject({ ended: "malformed", error: { code: "malformed-next-tool" } });
    expect(JSON.stringify(modelView(chain))).not.toContain("4711");
  });

  it.each<[string, CallRule["next"], true | undefined]>([
    ["hides the arguments that a reference reads", to({ v: [{ $ref: "structured.pin" }] }), true],
    ["hides those that a function makes", ({ structured }) => to({ v: Object(structured) }), true],
    ["shows those that read nothing of it", to({ v: "said" }), undefined],
  ])("%s", async (_, next, forUserAlone) => {
    const when = { structured: { properties: { tries: { minimum: 1 } } } };
    const { hops } = await run({ after, when, next });
    expect(hops[1]?.origin.forUserAlone).toBe(forUserAlone);
  });
});
