import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callKey } from "../../src/chain/next-hop.ts";
import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { hopOf } from "../hops.ts";
import { asking, createTestServer } from "../servers.ts";

async function openHost(options: Omit<HostOptions, "servers"> = {}): Promise<Host> {
  const bank = await createTestServer({ a: {}, b: {} });
  const mail = await createTestServer({ send: {}, wipe: {} });
  const crm = await createTestServer({ send: {} });
  const servers = { bank: bank.client, mail: mail.client, crm: crm.client };
  return createHost({ ...options, servers });
}

const ask = (tool: string, args?: object) => hopOf(asking(tool, args as { n: number }));

describe("nextHop", () => {
  it("names the call, who caused it and where the chain then stands", async () => {
    const host = await openHost();
    const next = host.nextHop(ask("b", { n: 1 }));
    expect(next).toEqual({
      type: "call",
      call: {
        server: "bank",
        tool: "b",
        arguments: { n: 1 },
        origin: { by: "chain", causedBy: "call-1", depth: 1 },
      },
      progress: { calls: 1, seen: ['["bank","a",{}]'] },
    });
  });

  it("goes on from where the chain stood", async () => {
    const host = await openHost({ limits: { maxChainDepth: 3 } });
    const at = (calls: number) => host.nextHop(ask("b"), { calls, seen: [] });
    expect(at(1)).toMatchObject({ type: "call", call: { origin: { depth: 2 } } });
    expect(at(2)).toMatchObject({ type: "end", ended: "depth-limit", pending: { tool: "b" } });
  });

  it("ends where nothing is asked for", async () => {
    const host = await openHost();
    expect(host.nextHop(hopOf({ content: [] }))).toEqual({ type: "end", ended: "complete" });
  });

  it("ends as a cycle at a call that is its own cause", async () => {
    const host = await openHost();
    expect(host.nextHop(ask("a"))).toMatchObject({
      ended: "cycle",
      error: { code: "chain-cycle" },
    });
    expect(host.nextHop(ask("a", { page: 2 }))).toMatchObject({ type: "call" });
  });

  it("reaches another server only where a rule names both ends", async () => {
    const crossServerChains = [{ from: "bank.a", to: "mail.send" }];
    const host = await openHost({ crossServerChains });
    expect(host.nextHop(ask("send"))).toMatchObject({ call: { server: "mail" } });
    expect(host.nextHop(ask("mail.send"))).toMatchObject({ call: { server: "mail" } });
    expect(host.nextHop(ask("wipe"))).toMatchObject({ ended: "unknown-tool" });
    const other = hopOf(asking("send"), { tool: "b" });
    expect(host.nextHop(other)).toMatchObject({ ended: "unknown-tool" });
  });

  it("reaches no other server where the rules leave two tools to choose from", async () => {
    const crossServerChains = [{ from: "bank.*", to: "*.send" }];
    const host = await openHost({ crossServerChains });
    expect(host.nextHop(ask("send"))).toMatchObject({ ended: "unknown-tool" });
    expect(host.nextHop(ask("crm.send"))).toMatchObject({ call: { server: "crm" } });
  });
});

describe("callKey", () => {
  const tool = fc.record({ server: fc.string(), name: fc.string() });
  const args = fc.dictionary(fc.string(), fc.jsonValue());

  it("is equal for equal calls alone", () => {
    fc.assert(
      fc.property(tool, args, tool, args, (one, oneArgs, other, otherArgs) => {
        const same =
          JSON.stringify([one.server, one.name]) === JSON.stringify([other.server, other.name]);
        const reversed = Object.fromEntries(Object.entries(oneArgs).reverse());
        expect(callKey(one, oneArgs)).toBe(callKey(one, reversed));
        if (!same) expect(callKey(one, oneArgs)).not.toBe(callKey(other, otherArgs));
      }),
    );
  });
});
