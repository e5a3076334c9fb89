import type { JsonObject } from "@toolrail/core/json";
import { type Rule, rules } from "@toolrail/core/rules";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ContentBlock, createHost, type HostOptions, modelView } from "../../src/index.ts";
import { holdsUserContent } from "../../src/result/user-content.ts";
import { hopOf } from "../hops.ts";
import { createTestServer } from "../servers.ts";

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
  it.each<[string, JsonObject]>([
    ["a value of its data", { tries: 3 }],
    ["a value of its text", { who: "Mallory" }],
    ["a value inside a list", { rows: [{ x: "77-31" }] }],
    ["a value as a key", { rows: { "77-31": 1 } }],
    ["a longer text with a value", { note: "the PIN is 4711!" }],
    ["all of its text", { note: LOCKED.content[0]?.text }],
  ])("hold content for the user alone if they hold %s", (_, args) => {
    expect(holdsUserContent(args, hopOf(LOCKED))).toBe(true);
  });

  it.each<[string, ContentBlock]>([
    ["a link", { type: "resource_link", uri: "https://bank.example/r/8f3", name: "r8f3" }],
    [
      "a resource",
      { type: "resource", resource: { uri: "https://bank.example/r/8f3", text: "x" } },
    ],
    ["a picture", { type: "image", mimeType: "image/png", data: "https://bank.example/r/8f3" }],
  ])("hold content for the user alone if they hold what is in %s", (_, block) => {
    const hop = hopOf({ content: [{ ...block, annotations: { audience: ["user"] } }] });
    expect(holdsUserContent({ page: "https://bank.example/r/8f3" }, hop)).toBe(true);
    expect(
      holdsUserContent({ page: "https://bank.example/r/8f3" }, hopOf({ content: [block] })),
    ).toBe(false);
  });

  it.each<[string, JsonObject]>([
    ["nothing", {}],
    ["the name of an argument", { pin: true, account: null }],
    ["a plain word", { reason: "locked" }],
    ["something else", { reason: "account_locked", team: "47110" }],
    ["what the model has asked for", { customer: "customer-7 77-31" }],
  ])("do not hold it if they hold %s", (_, args) => {
    const given = { args: { customer: "customer-7 77-31" } };
    expect(holdsUserContent(args, hopOf(LOCKED, given))).toBe(false);
  });

  it("do not hold it if the model reads the same beside it", () => {
    const both = { content: [...LOCKED.content, { type: "text", text: "77-31 is locked" }] };
    expect(holdsUserContent({ id: "77-31" }, hopOf(both))).toBe(false);
    expect(holdsUserContent({ id: "4711" }, hopOf(both))).toBe(true);
  });

  it.each([
    ["a text that nearly matches", "ab-".repeat(300_000), (at: number) => `ab-ab-x${at}`],
    ["a text that matches everywhere", "A".repeat(900_000), (at: number) => "A".repeat(9 + at)],
  ])("are searched in bounded time, and count as holding it after that: %s", (_, text, toValue) => {
    const rows = Array.from({ length: 2_000 }, (_, at) => toValue(at));
    const startMs = performance.now();
    expect(holdsUserContent({ rows }, hopOf({ content: [user(`${text} b`)] }))).toBe(true);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  it("are searched in bounded time if the model has read a long text beside it", () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => `ab-ab-x${at}`);
    const content = [user("secret 1"), { type: "text", text: "ab-".repeat(300_000) }];
    const startMs = performance.now();
    expect(holdsUserContent({ rows }, hopOf({ content }))).toBe(true);
    expect(performance.now() - startMs).toBeLessThan(10_000); // Every row would take a minute.
  });

  it("hold it if the call before received it", () => {
    const hop = hopOf({ content: [user("done")] }, { args: { pin: "9999" } });
    expect(holdsUserContent({ again: "9999" }, hop)).toBe(false);
    const origin = { ...hop.origin, forUserAlone: true } as const;
    expect(holdsUserContent({ again: "9999" }, { ...hop, origin })).toBe(true);
  });
});

describe("a rule after a result for the user alone", () => {
  const after = "bank.a";
  const run = async (rule: Rule, use: NonNullable<HostOptions["use"]> = []) => {
    const { client } = await createTestServer({
      a: { answer: () => LOCKED },
      b: {
        answer: ({ arguments: args }) => ({
          content: [{ type: "text", text: JSON.stringify(args) }],
        }),
      },
    });
    const host = await createHost({ servers: { bank: client }, use: [rules([rule]), ...use] });
    onTestFinished(() => host.close());
    const chain = await host.run({ tool: "a" });
    expect(chain.hops).toHaveLength(2);
    return JSON.stringify(modelView(chain).content);
  };
  const to = (args: JsonObject) => ({ tool: "bank.b", arguments: args });

  it("that fails does not show it in the error", async () => {
    const { client } = await createTestServer({ a: { answer: () => LOCKED }, b: {} });
    const next = to({ v: { $ref: "structured.pin.length" } });
    const host = await createHost({ servers: { bank: client }, use: [rules([{ after, next }])] });
    onTestFinished(() => host.close());
    const chain = await host.run({ tool: "a" });
    expect(chain).toMatchObject({ ended: "malformed", error: { code: "rule-failed" } });
    expect(JSON.stringify(modelView(chain))).not.toContain("4711");
  });

  it("that reads nothing of it does not", async () => {
    expect(
      await run({
        after,
        when: { structured: { properties: { tries: { minimum: 1 } } } },
        next: to({ v: "said" }),
      }),
    ).toContain("said");
  });
});
