import { describe, expect, it } from "vitest";
import {
  type ChainStore,
  createHost,
  type HopTicket,
  type Host,
  type HostEvent,
  type HostOptions,
  hopId,
  isHopId,
  type PlannedHop,
  ToolrailError,
} from "../src/index.ts";
import { asking, createTestServer, type TestTool } from "./servers.ts";

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
  return createHost({ servers: { bank: client }, ...options });
}

async function planFirst(host: Host): Promise<HopTicket> {
  return ticketOf(await host.ledger.plan(await host.call({ tool: "a" }), { root: "call-1" }));
}

function ticketOf(planned: PlannedHop): HopTicket {
  if (planned.type !== "call") throw new Error(`The chain ended: ${planned.error?.message}`);
  return planned.ticket;
}

const B = { server: "bank", name: "b", arguments: { n: 1 } };

describe("a planned hop", () => {
  it("knows its chain, its place in it and the call that it began with", async () => {
    const host = await setUp();
    const hop = await host.call({ tool: "a" });
    const ticket = ticketOf(await host.ledger.plan(hop, { root: "call-1" }));
    expect(ticket).toMatchObject({
      id: hopId(hop.callId),
      runId: hop.runId,
      root: "call-1",
      call: {
        server: "bank",
        tool: "b",
        arguments: { n: 1 },
        origin: { by: "chain", causedBy: hop.callId, depth: 1 },
      },
    });
    expect(isHopId(ticket.id)).toBe(true);
    expect(ticket.id).toHaveLength(40);
    expect(await host.ledger.find(ticket.id)).toEqual(ticket);
  });

  it("is taken once, as it was asked for", async () => {
    const host = await setUp();
    const ticket = await planFirst(host);
    expect(await host.ledger.take(ticket.id, B)).toEqual(ticket);
    await expect(host.ledger.take(ticket.id, B)).rejects.toMatchObject({ code: "unknown-hop" });
    expect(await host.ledger.find(ticket.id)).toBeUndefined();
  });

  it("goes to one of many that take it at the same time", async () => {
    const host = await setUp();
    const { id } = await planFirst(host);
    const takes = await Promise.allSettled(
      Array.from({ length: 8 }, () => host.ledger.take(id, B)),
    );
    expect(takes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([
    ["other arguments", { ...B, arguments: { n: 2 } }],
    ["another tool", { ...B, name: "c" }],
    ["another server", { ...B, server: "docs" }],
  ])("is not given for %s, and stays for the right call", async (_, call) => {
    const host = await setUp();
    const { id } = await planFirst(host);
    await expect(host.ledger.take(id, call)).rejects.toMatchObject({ code: "unknown-hop" });
    await expect(host.ledger.take(id, B)).resolves.toMatchObject({ id });
  });

  it("is not given for an id that nobody issued", async () => {
    const host = await setUp();
    await planFirst(host);
    await expect(host.ledger.take("hop-forged", B)).rejects.toThrow(/chainStore/);
  });

  it("is gone once it was dropped", async () => {
    const host = await setUp();
    const { id } = await planFirst(host);
    await host.ledger.drop(id);
    await expect(host.ledger.take(id, B)).rejects.toMatchObject({ code: "unknown-hop" });
  });

  it("expires", async () => {
    let nowMs = 0;
    const host = await setUp(CHAIN, { now: () => nowMs, limits: { pendingHopTtlMs: 1_000 } });
    const { id } = await planFirst(host);
    nowMs = 999;
    expect(await host.ledger.find(id)).toBeDefined();
    nowMs = 1_000;
    expect(await host.ledger.find(id)).toBeUndefined();
    await expect(host.ledger.take(id, B)).rejects.toMatchObject({ code: "unknown-hop" });
  });

  it("pushes the oldest out where memory is full", async () => {
    const host = await setUp(CHAIN, { limits: { maxPendingHops: 2 } });
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await planFirst(host)).id);
    const found = await Promise.all(ids.map((id) => host.ledger.find(id)));
    expect(found.map(Boolean)).toEqual([false, true, true]);
  });
});

describe("a chain made hop by hop", () => {
  it("keeps its true depth, and ends where run ends it", async () => {
    const events: HostEvent[] = [];
    const counting = {
      answer: ({ arguments: { n } }: { arguments: { n?: unknown } }) =>
        asking("a", { n: Number(n ?? 0) + 1 }),
    };
    const host = await setUp({ a: counting }, { onEvent: (event) => events.push(event) });
    let hop = await host.call({ tool: "a", arguments: { n: 0 } });
    let planned = await host.ledger.plan(hop, { root: "call-1" });
    let calls = 1;
    while (planned.type === "call") {
      const { ticket } = planned;
      const call = { server: "bank", name: "a", arguments: ticket.call.arguments };
      await host.ledger.take(ticket.id, call);
      hop = await host.call(
        { tool: call, arguments: call.arguments },
        { origin: ticket.call.origin, runId: ticket.runId },
      );
      calls++;
      planned = await host.ledger.plan(hop, { ticket });
    }
    expect(calls).toBe(5);
    expect(planned).toMatchObject({ type: "end", ended: "depth-limit" });
    expect(events.filter(({ type }) => type === "chain-ended")).toMatchObject([
      { ended: "depth-limit", hops: 5, runId: hop.runId },
    ]);
  });

  it("ends before a hop whose arguments the door would refuse", async () => {
    const host = await setUp({ ...CHAIN, a: { answer: () => asking("b", { n: "one" }) } });
    const planned = await host.ledger.plan(await host.call({ tool: "a" }), { root: "call-1" });
    expect(planned).toMatchObject({
      ended: "invalid-arguments",
      pending: { tool: "b" },
      error: { code: "invalid-arguments" },
    });
  });

  it("ends with the error of a call, by its code", async () => {
    const host = await setUp();
    const error = new ToolrailError("denied", "no");
    expect(await host.ledger.plan(error, { root: "call-1" })).toEqual({
      type: "end",
      ended: "denied",
      error,
    });
  });
});

describe("a store of the application", () => {
  it("lets another host go on, with the true depth", async () => {
    const chainStore: ChainStore = new Map();
    const first = await setUp(CHAIN, { chainStore });
    const second = await setUp(CHAIN, { chainStore });
    const { id } = await planFirst(first);
    const ticket = await second.ledger.take(id, B);
    expect(ticket.progress.calls).toBe(1);
    await expect(first.ledger.take(id, B)).rejects.toMatchObject({ code: "unknown-hop" });
  });

  it("ends the chain where it cannot keep a hop, and refuses hops where it cannot answer", async () => {
    const fail = () => {
      throw new Error("store is down");
    };
    const host = await setUp(CHAIN, { chainStore: { get: fail, set: fail, delete: fail } });
    const planned = await host.ledger.plan(await host.call({ tool: "a" }), { root: "call-1" });
    expect(planned).toMatchObject({ ended: "failed", error: { code: "callback-failed" } });
    await expect(host.ledger.take("hop-1", B)).rejects.toMatchObject({ code: "callback-failed" });
  });

  it("gives nothing that is no ticket", async () => {
    const chainStore: ChainStore = {
      get: () => ({ id: "hop-1" }),
      set: () => {},
      delete: () => true,
    };
    const host = await setUp(CHAIN, { chainStore });
    expect(await host.ledger.find("hop-1")).toBeUndefined();
  });

  it("makes no hop that it does not say it removed", async () => {
    const tickets = new Map<string, HopTicket>();
    const chainStore: ChainStore = {
      get: (id) => tickets.get(id),
      set: (id, ticket) => tickets.set(id, ticket),
      delete: () => undefined as never,
    };
    const host = await setUp(CHAIN, { chainStore });
    const { id } = await planFirst(host);
    await expect(host.ledger.take(id, B)).rejects.toMatchObject({ code: "unknown-hop" });
  });
});
