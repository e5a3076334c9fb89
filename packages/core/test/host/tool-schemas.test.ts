import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createHost, type HostOptions } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

async function open(schemas: HostOptions["schemas"] = {}) {
  const { client, seen } = await createTestServer({
    pay: { answer: () => ({ content: [], structuredContent: { id: "7" } }) },
  });
  const host = await createHost({ servers: { bank: client }, schemas });
  return { host, seen };
}

describe("schemas with an input", () => {
  const input = z.object({ to: z.string().min(2), amount: z.coerce.number() });

  it("send no arguments that the input refuses, whoever asks", async () => {
    const { host, seen } = await open({ "bank.pay": { input } });
    const request = { tool: "bank.pay", arguments: { to: "x", amount: 1 } };
    const refused = { code: "invalid-arguments", message: expect.stringContaining("/to") };
    await expect(host.call(request)).rejects.toMatchObject(refused);
    const asked = await host.check(request, { origin: { by: "model" } });
    expect(asked).toMatchObject({ type: "refuse", error: refused });
    expect(seen).toEqual([]);
  });

  it.each([
    ["a misspelt member", { inputs: input }, /has no option "inputs". Did you mean "input"/],
    ["a JSON Schema", { input: { type: "object" } }, /must be a Standard Schema/],
    ["a function", { input: () => true }, /must be a Standard Schema/],
    ["nothing", null, /takes an object/],
  ])("are refused with %s, which would check nothing", async (_, schema, message) => {
    await expect(open({ "bank.pay": schema as never })).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringMatching(message),
    });
  });

  it("send accepted arguments unchanged", async () => {
    const { host, seen } = await open({ "bank.pay": { input } });
    await host.call({ tool: "bank.pay", arguments: { to: "anna", amount: "12" } });
    expect(seen.map(({ arguments: args }) => args)).toEqual([{ to: "anna", amount: "12" }]);
  });

  it("parse results with the output next to it, if there is one", async () => {
    const output = z.object({ id: z.coerce.number() });
    const both = await open({ "bank.pay": { input, output } });
    const request = { tool: "bank.pay", arguments: { to: "anna", amount: 1 } };
    const hop = await both.host.call(request);
    expect(hop.output).toEqual({ status: "valid", value: { id: 7 } });
    const one = await open({ "bank.pay": { input } });
    expect((await one.host.call(request)).output).toEqual({ status: "unchecked" });
  });
});
