import { describe, expect, it } from "vitest";
import {
  type AdapterCallOptions,
  decideHop,
  hopId,
  isHopId,
  type PendingHop,
} from "../../src/adapter.ts";
import { engineOf } from "../../src/host/engine.ts";
import { createHost, type HostEvent, type HostOptions, ToolrailError } from "../../src/index.ts";
import { setClock } from "../clock.ts";
import { hopOf } from "../hops.ts";
import { asking, createTestServer, type TestTool } from "../servers.ts";

const NUMBER = {
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
};
const CHAIN: Record<string, TestTool> = {
  a: { answer: () => asking("b", { n: 1 }) },
  b: { definition: NUMBER, answer: () => asking("c") },
  c: {},
};

async function setUp(tools = CHAIN, options: Partial<HostOptions> = {}) {
  const { client } = await createTestServer(tools);
  const host = await createHost({ servers: { bank: client }, ...options });
  return { host };
}

describe("decideHop", () => {
  it("gives a pending hop that knows its chain, its place in it and the call that it began with", async () => {
    setClock(() => 5);
    const { host } = await setUp({ ...CHAIN });
    const hop = await host.call({ tool: "a" });
    const decided = await decideHop(host, hop, { root: "call-1" });
    expect(decided).toMatchObject({
      type: "call",
      pending: {
        id: hopId(hop.callId),
        runId: hop.runId,
        root: "call-1",
        call: {
          server: "bank",
          tool: "b",
          arguments: { n: 1 },
          origin: { by: "chain", causedBy: hop.callId, after: "bank.a", depth: 1 },
        },
        expiresAtMs: 5 + engineOf(host).approvalTtlMs,
      },
    });
  });

  it("keeps a hash of each call in a pending hop, and ends at a call that one of them is of", async () => {
    const { host } = await setUp({ a: {}, b: {} });
    const large = hopOf(asking("b"), { args: { text: "x".repeat(200_000) } });
    const decided = await decideHop(host, large, { root: "call-1" });
    const { pending } = decided as { pending: PendingHop };
    expect(pending.seen).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const back = hopOf(asking("a", large.arguments as never), { tool: "b" });
    expect(await decideHop(host, back, pending)).toMatchObject({ ended: "cycle" });
    const other = hopOf(asking("a", { text: "x" } as never), { tool: "b" });
    expect(await decideHop(host, other, pending)).toMatchObject({ type: "call" });
  });

  it("gives ids of at most 40 characters, which no call of a model has", async () => {
    const { host } = await setUp();
    const decided = await decideHop(host, await host.call({ tool: "a" }), { root: "call-1" });
    const { id } = (decided as { pending: PendingHop }).pending;
    expect(isHopId(id)).toBe(true);
    expect(id).toHaveLength(40);
    expect(isHopId("call_1")).toBe(false);
  });

  it("counts the depth over hops that are made one by one, and ends where run ends", async () => {
    const events: HostEvent[] = [];
    const counting: TestTool = {
      answer: ({ arguments: args }) => asking("a", { n: Number(args?.n ?? 0) + 1 }),
    };
    const onEvent = (event: HostEvent) => events.push(event);
    const { host } = await setUp({ a: counting }, { onEvent });
    let hop = await host.call({ tool: "a", arguments: { n: 0 } });
    let decided = await decideHop(host, hop, { root: "call-1" });
    let calls = 1;
    while (decided.type === "call" && calls < 20) {
      const { pending } = decided;
      const { arguments: args, origin } = pending.call;
      const options: AdapterCallOptions = { origin, runId: pending.runId };
      hop = await host.call({ tool: "a", arguments: args }, options);
      calls++;
      decided = await decideHop(host, hop, pending);
    }
    expect(calls).toBe(5);
    expect(decided).toMatchObject({ type: "end", ended: "depth-limit" });
    expect(events.filter(({ type }) => type === "chain-ended")).toMatchObject([
      { ended: "depth-limit", hops: 5, runId: hop.runId },
    ]);
  });

  it("ends before a hop whose arguments would be refused", async () => {
    const { host } = await setUp({
      ...CHAIN,
      a: { answer: () => asking("b", { n: "one" as never }) },
    });
    const decided = await decideHop(host, await host.call({ tool: "a" }), { root: "call-1" });
    expect(decided).toMatchObject({
      ended: "invalid-arguments",
      pending: { tool: "b" },
      error: { code: "invalid-arguments" },
    });
  });

  it("ends with the error that a call ended in, by its code", async () => {
    const { host } = await setUp();
    const error = new ToolrailError("denied", "no");
    const decided = await decideHop(host, error, { root: "call-1" });
    expect(decided).toEqual({ type: "end", ended: "denied", error });
  });
});
