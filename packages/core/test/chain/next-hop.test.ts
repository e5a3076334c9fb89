import { rules } from "@toolrail/core/rules";
import { describe, expect, it } from "vitest";
import type { NextHop } from "../../src/chain/next-hop.ts";
import { engineOf } from "../../src/host/engine.ts";
import { type CallToolResult, createHost, type HostOptions, type Plugin } from "../../src/index.ts";
import { hopOf } from "../hops.ts";
import { asking, createTestServer } from "../servers.ts";

async function openHost(options: Omit<HostOptions, "servers"> = {}) {
  const bank = await createTestServer({ a: {}, b: {} });
  const mail = await createTestServer({ send: {}, wipe: {} });
  const crm = await createTestServer({ send: {} });
  const servers = { bank: bank.client, mail: mail.client, crm: crm.client };
  return engineOf(await createHost({ ...options, servers }));
}

const ask = (tool: string, args?: object) => hopOf(asking(tool, args as { n: number }));

describe("nextHop", () => {
  it("names the call, who caused it and where the chain then stands", async () => {
    const host = await openHost();
    const next = await host.nextHop(ask("b", { n: 1 }));
    expect(next).toEqual({
      type: "call",
      call: {
        server: "bank",
        tool: "b",
        arguments: { n: 1 },
        origin: { by: "chain", causedBy: "call-1", after: "bank.a", depth: 1 },
      },
      seen: [`["bank","a",{}]`],
    });
  });

  it("names the tool of its server that is nearest to a misspelt one", async () => {
    const { client } = await createTestServer({ find: {}, refund: {} });
    const mail = (await createTestServer({ refnd: {} })).client;
    const host = engineOf(await createHost({ servers: { bank: client, mail } }));
    for (const misspelt of ["refnd", "bank.refnd"]) {
      expect(await host.nextHop(ask(misspelt))).toMatchObject({
        ended: "unknown-tool",
        error: { message: expect.stringMatching(/Did you mean "refund"\?$/) },
      });
    }
  });

  it("continues from the depth at which the chain stood", async () => {
    const host = await openHost({ limits: { maxChainDepth: 3 } });
    const at = (...before: string[]) => host.nextHop(ask("b"), { before });
    expect(await at("x")).toMatchObject({ type: "call", call: { origin: { depth: 2 } } });
    expect(await at("x", "y")).toMatchObject({
      type: "end",
      ended: "depth-limit",
      pending: { tool: "b" },
    });
  });

  it("ends if nothing is asked for", async () => {
    const host = await openHost();
    expect(await host.nextHop(hopOf({ content: [] }))).toEqual({ type: "end", ended: "complete" });
  });

  it("ends as a cycle at a call that is its own cause", async () => {
    const host = await openHost();
    expect(await host.nextHop(ask("a"))).toMatchObject({
      ended: "cycle",
      error: { code: "chain-cycle" },
    });
    expect(await host.nextHop(ask("a", { page: 2 }))).toMatchObject({ type: "call" });
  });

  it("reaches another server only if a rule names both ends", async () => {
    const use = [rules([{ after: "bank.a", reaches: "mail.send" }])];
    const host = await openHost({ use });
    expect(await host.nextHop(ask("send"))).toMatchObject({ call: { server: "mail" } });
    expect(await host.nextHop(ask("mail.send"))).toMatchObject({ call: { server: "mail" } });
    expect(await host.nextHop(ask("wipe"))).toMatchObject({ ended: "unknown-tool" });
    const other = hopOf(asking("send"), { tool: "b" });
    expect(await host.nextHop(other)).toMatchObject({ ended: "unknown-tool" });
  });

  it("reaches no other server if the rules leave two tools to choose from", async () => {
    const use = [rules([{ after: "bank.*", reaches: "*.send" }])];
    const host = await openHost({ use });
    expect(await host.nextHop(ask("send"))).toMatchObject({ ended: "unknown-tool" });
    expect(await host.nextHop(ask("crm.send"))).toMatchObject({ call: { server: "crm" } });
  });

  it("keeps the call of a server within its server, also if a plugin copies or completes it", async () => {
    for (const more of [{}, { arguments: { n: 2 } }]) {
      const plugin: Plugin = {
        name: "log",
        async nextCall(_, { next }) {
          const call = await next();
          return call && { ...call, ...more };
        },
      };
      const host = await openHost({ use: [plugin] });
      expect(await host.nextHop(ask("mail.send"))).toMatchObject({ ended: "unknown-tool" });
      const { call } = (await host.nextHop(ask("b"))) as Extract<NextHop, { type: "call" }>;
      expect(call).toMatchObject({ server: "bank", tool: "b", ...more });
      expect(call.origin).not.toHaveProperty("rule");
    }
  });

  it("finds content for the user alone that a plugin puts into the call of a server", async () => {
    const plugin: Plugin = {
      name: "complete",
      async nextCall({ result }, { next }) {
        const call = await next();
        return Object.assign(call ?? {}, { arguments: { pin: result.content[0]?.text } }) as never;
      },
    };
    const host = await openHost({ use: [plugin] });
    const content = [{ type: "text", text: "1234-5678", annotations: { audience: ["user"] } }];
    const hop = hopOf({ ...asking("b"), content } as CallToolResult);
    expect(await host.nextHop(hop)).toMatchObject({ call: { origin: { forUserAlone: true } } });
  });

  it("takes the arguments of whoever could read what only the user sees for the user's alone, unless a plugin says otherwise", async () => {
    const content = [{ type: "text", text: "1234", annotations: { audience: ["user"] } }];
    const hop = hopOf({ ...asking("b", { n: 1 }), content } as CallToolResult);
    const isHidden = async (nextCall: Plugin["nextCall"]) => {
      const host = await openHost({ use: [{ name: "own", ...(nextCall && { nextCall }) }] });
      const next = (await host.nextHop(hop)) as Extract<NextHop, { type: "call" }>;
      return next.call.origin.forUserAlone === true;
    };
    const changed = { tool: "b", arguments: { pin: "4321" } };
    expect(await isHidden(() => changed)).toBe(true);
    expect(await isHidden(async (_, { next }) => ({ ...(await next()), ...changed }))).toBe(true);
    expect(await isHidden(() => ({ ...changed, forUserAlone: false }))).toBe(false);
    expect(await isHidden(async (_, { next }) => next())).toBe(true);
  });

  it("knows a call again whatever the order of its keys", async () => {
    const host = await openHost();
    const first = hopOf(asking("b", { n: 1 }), { args: { x: 1, y: { p: 1, q: 2 } } });
    const next = await host.nextHop(first);
    if (next.type !== "call") throw new Error("the chain ended");
    const back = hopOf(asking("a", { y: { q: 2, p: 1 }, x: 1 } as never), { tool: "b" });
    expect(await host.nextHop(back, { before: next.seen })).toMatchObject({ ended: "cycle" });
    const other = hopOf(asking("a", { y: { q: 2, p: 2 }, x: 1 } as never), { tool: "b" });
    expect(await host.nextHop(other, { before: next.seen })).toMatchObject({ type: "call" });
  });
});
