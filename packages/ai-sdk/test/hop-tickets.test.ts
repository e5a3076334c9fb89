import {
  createHost,
  type Host,
  type HostEvent,
  type HostOptions,
  type McpPort,
  type Store,
} from "@toolrail/core";
import { decideHop, engineOf, type HopTicket } from "@toolrail/core/adapter";
import { createMemoryStore } from "@toolrail/core/plugin";
import { describe, expect, it } from "vitest";
import { hopTicketsOf } from "../src/chain/hop-tickets.ts";

const B = { server: "bank", name: "b", arguments: { n: 1 } };
const UNKNOWN = { code: "unknown-hop" };

/** A server whose tool `a` asks for `b`. */
const port: McpPort = {
  list: async () => ({
    tools: ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  call: async () => ({
    content: [],
    _meta: { nextTool: { tool: "b", arguments: { n: 1 } } },
  }),
};

function openHost(options: Partial<HostOptions> = {}) {
  return createHost({ servers: { bank: port }, ...options });
}

async function open(options: Partial<HostOptions> = {}) {
  return ticketsIn(await openHost(options));
}

function ticketsIn(host: Host, conversation?: string) {
  const tickets = hopTicketsOf(host, conversation);
  const decide = async (): Promise<HopTicket> => {
    const next = await decideHop(engineOf(host), await host.call({ tool: "a" }), {
      root: "call-1",
    });
    if (next.type !== "call") throw new Error(next.error?.message);
    return next.ticket;
  };
  const keep = async () => {
    const ticket = await decide();
    await tickets.keep(ticket);
    return ticket;
  };
  return { tickets, decide, keep };
}

describe("hopTicketsOf", () => {
  it("A ticket is found until it is taken, and is taken once.", async () => {
    const { tickets, keep } = await open();
    const ticket = await keep();
    expect(await tickets.find(ticket.id)).toEqual(ticket);
    expect(await tickets.take(ticket.id, B)).toEqual(ticket);
    expect(await tickets.find(ticket.id)).toBeUndefined();
    await expect(tickets.take(ticket.id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it.each([
    ["the memory of the host", undefined],
    ["a Map", new Map() as Store],
  ])("A ticket in %s goes to one of many that take it at the same time.", async (_, store) => {
    const { tickets, keep } = await open(store && { store });
    const { id } = await keep();
    const takes = Array.from({ length: 8 }, () => tickets.take(id, B));
    const settled = await Promise.allSettled(takes);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([
    ["other arguments", { ...B, arguments: { n: 2 } }],
    ["another tool", { ...B, name: "c" }],
    ["another server", { ...B, server: "docs" }],
  ])("A ticket is not taken for %s and stays for the right call.", async (_, call) => {
    const { tickets, keep } = await open();
    const { id } = await keep();
    await expect(tickets.take(id, call)).rejects.toMatchObject(UNKNOWN);
    await expect(tickets.take(id, B)).resolves.toMatchObject({ id });
  });

  it("A ticket that was dropped, or that nobody kept, is not taken.", async () => {
    const { tickets, keep } = await open();
    const { id } = await keep();
    expect([await tickets.drop(id), await tickets.drop(id)]).toEqual([true, false]);
    await expect(tickets.take(id, B)).rejects.toMatchObject(UNKNOWN);
    await expect(tickets.take("hop-forged", B)).rejects.toThrow(/`store`/);
  });

  it("A ticket expires.", async () => {
    let nowMs = 0;
    const limits = { pendingHopTtlMs: 1_000 };
    const { tickets, keep } = await open({ now: () => nowMs, limits });
    const { id } = await keep();
    nowMs = 999;
    expect(await tickets.find(id)).toBeDefined();
    nowMs = 1_000;
    expect(await tickets.find(id)).toBeUndefined();
    await expect(tickets.take(id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A conversation whose memory is full loses its own oldest ticket, and an event says so.", async () => {
    const events: HostEvent[] = [];
    const host = await openHost({
      limits: { maxConversationBytes: 2_000 },
      onEvent: (event) => events.push(event),
    });
    const quiet = ticketsIn(host, "user-1");
    const loud = ticketsIn(host, "user-2");
    const approval = await quiet.keep();
    const pushedOut = await loud.keep();
    for (let count = 0; count < 50; count++) await loud.keep();
    await expect(loud.tickets.take(pushedOut.id, B)).rejects.toMatchObject({
      ...UNKNOWN,
      message: expect.stringMatching(/memory for waiting hops was full.*maxConversationBytes/),
    });
    await expect(quiet.tickets.take(approval.id, B)).resolves.toEqual(approval);
    const conversations = events.flatMap((event) =>
      event.type === "store-full" ? event.conversation : [],
    );
    expect(new Set(conversations)).toEqual(new Set(["user-2"]));
  });

  it("A ticket of one conversation is not taken in another.", async () => {
    const host = await openHost();
    const { id } = await ticketsIn(host, "user-1").keep();
    await expect(ticketsIn(host, "user-2").tickets.take(id, B)).rejects.toMatchObject(UNKNOWN);
    await expect(ticketsIn(host, "user-1").tickets.take(id, B)).resolves.toMatchObject({ id });
  });

  it("Tickets that were taken a while ago push no other out.", async () => {
    let nowMs = 0;
    const host = await openHost({ now: () => nowMs, limits: { maxConversationBytes: 3_000 } });
    const { tickets, keep } = ticketsIn(host, "user-1");
    const { id: first } = await keep();
    for (let count = 0; count < 50; count++) {
      await tickets.take((await keep()).id, B);
      nowMs += 60_000;
    }
    expect(await tickets.find(first)).toBeDefined();
  });

  it("Another host with the same store takes a ticket, once for both.", async () => {
    const store: Store = new Map();
    const first = await open({ store });
    const second = await open({ store });
    const { id } = await first.keep();
    expect((await second.tickets.take(id, B)).seen).toHaveLength(1);
    await expect(first.tickets.take(id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A store that gives something else than a ticket gives none.", async () => {
    const store: Store = { get: () => ({ id: "hop-1" }), set: () => {}, delete: () => true };
    const { tickets } = await open({ store });
    expect(await tickets.find("hop-1")).toBeUndefined();
  });

  it("A ticket that the store does not say it removed is not taken.", async () => {
    const kept = new Map<string, unknown>();
    const set = (key: string, value: unknown) => kept.set(key, value);
    const store: Store = { get: (key) => kept.get(key), set, delete: () => undefined };
    const { tickets, keep } = await open({ store });
    const { id } = await keep();
    await expect(tickets.take(id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A store whose `delete` counts what it removed gives a ticket to one of those that take it.", async () => {
    const kept = new Map<string, unknown>();
    const set = (key: string, value: unknown) => kept.set(key, value);
    const remove = (key: string) => (kept.delete(key) ? 1 : 0);
    const store: Store = { get: (key) => kept.get(key), set, delete: remove };
    const { tickets, keep } = await open({ store });
    const { id } = await keep();
    const takes = await Promise.allSettled([tickets.take(id, B), tickets.take(id, B)]);
    expect(takes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("A hop that the door makes once keeps its ticket for whoever goes on with the same messages.", async () => {
    const store = createMemoryStore({ maxBytes: 1e6, maxConversationBytes: 1e6, now: Date.now });
    const { tickets, keep } = await open({ store });
    const ticket = await keep();
    expect(await tickets.take(ticket.id, B)).toEqual(ticket);
    expect(await tickets.take(ticket.id, B)).toEqual(ticket);
    await tickets.drop(ticket.id);
    await expect(tickets.take(ticket.id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A store that fails is named in the error, and what it threw is the cause.", async () => {
    const fail = () => {
      throw new Error("out of order");
    };
    const { tickets, decide } = await open({ store: { get: fail, set: fail, delete: fail } });
    const ticket = await decide();
    const failed = { code: "callback-failed", message: /store of the host/ };
    for (const work of [
      tickets.keep(ticket),
      tickets.find("hop-1"),
      tickets.take("hop-1", B),
      tickets.drop("hop-1"),
    ]) {
      await expect(work).rejects.toMatchObject({
        code: failed.code,
        message: expect.stringMatching(failed.message),
        cause: expect.objectContaining({ message: "out of order" }),
      });
    }
  });
});
