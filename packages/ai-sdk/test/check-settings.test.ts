import { createHost, type HostEvent, type HostOptions } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../core/test/servers.ts";
import { withSingleStep } from "../src/guard/index.ts";
import { type ChainableSettings, withChaining } from "../src/index.ts";
import { majorNamed, scriptModel } from "./majors.ts";

const { model } = scriptModel(majorNamed("ai 7"), ["hi"]);

async function open(options: Partial<HostOptions> = {}) {
  const { client } = await createTestServer({ pay: {} });
  const events: HostEvent[] = [];
  const onEvent = (event: HostEvent) => events.push(event);
  const host = await createHost({ servers: { bank: client }, onEvent, ...options });
  const codes = () => events.flatMap((event) => (event.type === "warning" ? event.code : []));
  return { host, codes };
}

describe("settings that withChaining refuses", () => {
  it.each<[string, object, RegExp]>([
    ["a misspelt option", { chaining: { fodl: false } }, /no option "fodl".*fold/],
    ["a misspelt `chaining`", { chainning: {} }, /no setting "chainning".*"chaining"/],
    [
      "the setting of withSingleStep",
      { singleStep: { allow: [] } },
      /no setting "singleStep".*"chaining"/,
    ],
    ["a listener in the wrong place", { onHop: () => {} }, /`onHop` belongs under `chaining`/],
    [
      "a `prepareCall` of an agent",
      { prepareCall: () => ({}) },
      /\(options\) => withChaining\(host/,
    ],
    ["messages that nobody awaited", { messages: Promise.resolve([]) }, /`messages` is a promise/],
  ])("are %s, with what to do", async (_, mistake, message) => {
    const { host } = await open();
    const settings = { model, ...mistake } as ChainableSettings;
    expect(() => withChaining(host, settings)).toThrow(message);
  });

  it("are those of withSingleStep whose `singleStep` is misspelt, so that it would guard nothing", async () => {
    const { host } = await open();
    const settings = { model, singlestep: { allow: [] } };
    expect(() => withSingleStep(host, settings)).toThrow(/no setting "singlestep".*"singleStep"/);
  });

  it("are those of withSingleStep that set `chaining`, which it would not hear", async () => {
    const { host } = await open();
    const settings = { model, chaining: { onHop: () => {} } };
    expect(() => withSingleStep(host, settings)).toThrow(/no setting "chaining".*"singleStep"/);
  });

  it("are those that it has composed before: they are not blamed on `tools`", async () => {
    const { host } = await open();
    const again = withChaining(host, { model }) as unknown as ChainableSettings;
    expect(() => withChaining(host, again)).toThrow(/already went through withChaining/);
  });

  it("are those of withSingleStep, which refuses those of withChaining", async () => {
    const { host } = await open();
    const settings = { model, prompt: "hi" };
    const guarded = withSingleStep(host, settings) as unknown as ChainableSettings;
    const { tools: _, ...chained } = withChaining(host, settings);
    for (const again of [guarded, chained as unknown as ChainableSettings]) {
      expect(() => withChaining(host, again)).toThrow(/already went through/);
      expect(() => withSingleStep(host, again)).toThrow(/already went through/);
    }
  });
});

describe("a run that may ask", () => {
  const authorize = () => "ask" as const;

  it("leads to one warning at its beginning if its approvals are not signed", async () => {
    const { host, codes } = await open({ authorize });
    withChaining(host, { model });
    withChaining(host, { model });
    expect(codes()).toEqual(["no-approval-secret"]);
    const listed = await open({ requireApproval: ["bank.pay"] });
    withChaining(listed.host, { model });
    expect(listed.codes()).toEqual(["no-approval-secret"]);
  });

  it.each(["x", new Uint8Array(16)])("is refused with a short secret", async (secret) => {
    const { host } = await open({ authorize });
    const settings = { model, experimental_toolApprovalSecret: secret };
    const message = /at least 32 random characters/;
    expect(() => withChaining(host, settings)).toThrow(message);
    expect(() => withSingleStep(host, settings)).toThrow(message);
  });

  it("leads to no warning with a secret, or if nobody is asked", async () => {
    const { host, codes } = await open({ authorize });
    const signed = { model, experimental_toolApprovalSecret: "s".repeat(32) };
    withChaining(host, signed);
    const free = await open();
    withChaining(free.host, { model });
    expect([...codes(), ...free.codes()]).toEqual([]);
  });
});
