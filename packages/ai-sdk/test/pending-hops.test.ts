import {
  createHost,
  type Host,
  type HostEvent,
  type HostOptions,
  type McpPort,
  type Store,
} from "@toolrail/core";
import { decideHop, type PendingHop } from "@toolrail/core/adapter";
import { describe, expect, it } from "vitest";
import { setClock } from "../../core/test/clock.ts";
import { openPendingHops, readAskedHop, toHopMark } from "../src/chain/pending-hops.ts";

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
  return pendingHopsIn(await openHost(options));
}

function pendingHopsIn(host: Host, conversation?: string) {
  const pendingHops = openPendingHops(host, conversation);
  const decide = async (): Promise<PendingHop> => {
    const next = await decideHop(host, await host.call({ tool: "a" }), {
      root: "call-1",
    });
    if (next.type !== "call") throw new Error(next.error?.message);
    return next.pending;
  };
  const keep = async () => {
    const pending = await decide();
    await pendingHops.keep(pending);
    return pending;
  };
  return { pendingHops, decide, keep };
}

describe("openPendingHops", () => {
  it("A pending hop is found until it is taken, and is taken once.", async () => {
    const { pendingHops, keep } = await open();
    const pending = await keep();
    expect(await pendingHops.find(pending.id)).toEqual(pending);
    expect(await pendingHops.take(pending.id, B)).toEqual(pending);
    expect(await pendingHops.find(pending.id)).toBeUndefined();
    await expect(pendingHops.take(pending.id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it.each([
    ["the memory of the host", undefined],
    ["a Map", new Map() as Store],
  ])("A pending hop in %s goes to one of many that take it at the same time.", async (_, store) => {
    const { pendingHops, keep } = await open(store && { store });
    const { id } = await keep();
    const takes = Array.from({ length: 8 }, () => pendingHops.take(id, B));
    const settled = await Promise.allSettled(takes);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([
    ["other arguments", { ...B, arguments: { n: 2 } }],
    ["another tool", { ...B, name: "c" }],
    ["another server", { ...B, server: "docs" }],
  ])("A pending hop is not taken for %s and stays for the right call.", async (_, call) => {
    const { pendingHops, keep } = await open();
    const { id } = await keep();
    await expect(pendingHops.take(id, call)).rejects.toMatchObject(UNKNOWN);
    await expect(pendingHops.take(id, B)).resolves.toMatchObject({ id });
  });

  it("A pending hop that was dropped, or that nobody kept, is not taken.", async () => {
    const { pendingHops, keep } = await open();
    const { id } = await keep();
    expect([await pendingHops.drop(id), await pendingHops.drop(id)]).toEqual([true, false]);
    await expect(pendingHops.take(id, B)).rejects.toMatchObject(UNKNOWN);
    await expect(pendingHops.take("hop-forged", B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A pending hop expires.", async () => {
    let nowMs = 0;
    setClock(() => nowMs);
    const limits = { approvalTtlMs: 1_000 };
    const { pendingHops, keep } = await open({ limits });
    const { id } = await keep();
    nowMs = 999;
    expect(await pendingHops.find(id)).toBeDefined();
    nowMs = 1_000;
    expect(await pendingHops.find(id)).toBeUndefined();
    await expect(pendingHops.take(id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A full memory loses its oldest pending hop, and an event says so.", async () => {
    const events: HostEvent[] = [];
    const host = await openHost({
      limits: { maxStoreBytes: 2_000 },
      onEvent: (event) => events.push(event),
    });
    const { pendingHops, keep } = pendingHopsIn(host, "user-1");
    const pushedOut = await keep();
    for (let count = 0; count < 50; count++) await keep();
    await expect(pendingHops.take(pushedOut.id, B)).rejects.toMatchObject({
      ...UNKNOWN,
      message: expect.stringMatching(/^(?!.*limits\.).*memory for waiting hops was full/),
    });
    expect(events.map(({ type }) => type)).toContain("store-full");
  });

  it("A pending hop of one conversation is not taken in another.", async () => {
    const host = await openHost();
    const { id } = await pendingHopsIn(host, "user-1").keep();
    await expect(pendingHopsIn(host, "user-2").pendingHops.take(id, B)).rejects.toMatchObject(
      UNKNOWN,
    );
    await expect(pendingHopsIn(host, "user-1").pendingHops.take(id, B)).resolves.toMatchObject({
      id,
    });
  });

  it("Pending hops that were taken a while ago push no other out.", async () => {
    let nowMs = 0;
    setClock(() => nowMs);
    const host = await openHost({ limits: { maxStoreBytes: 3_000 } });
    const { pendingHops, keep } = pendingHopsIn(host, "user-1");
    const { id: first } = await keep();
    for (let count = 0; count < 50; count++) {
      await pendingHops.take((await keep()).id, B);
      nowMs += 60_000;
    }
    expect(await pendingHops.find(first)).toBeDefined();
  });

  it("Another host with the same store takes a pending hop, once for both.", async () => {
    const store: Store = new Map();
    const first = await open({ store });
    const second = await open({ store });
    const { id } = await first.keep();
    expect((await second.pendingHops.take(id, B)).seen).toHaveLength(1);
    await expect(first.pendingHops.take(id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A store that gives something else than a pending hop gives none.", async () => {
    const store: Store = { get: () => ({ id: "hop-1" }), set: () => {}, delete: () => true };
    const { pendingHops } = await open({ store });
    expect(await pendingHops.find("hop-1")).toBeUndefined();
  });

  it("A pending hop that the store does not say it removed is not taken.", async () => {
    const kept = new Map<string, unknown>();
    const set = (key: string, value: unknown) => kept.set(key, value);
    const store: Store = { get: (key) => kept.get(key), set, delete: () => undefined };
    const { pendingHops, keep } = await open({ store });
    const { id } = await keep();
    await expect(pendingHops.take(id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A store whose `delete` counts what it removed gives a pending hop to one of those that take it.", async () => {
    const kept = new Map<string, unknown>();
    const set = (key: string, value: unknown) => kept.set(key, value);
    const remove = (key: string) => (kept.delete(key) ? 1 : 0);
    const store: Store = { get: (key) => kept.get(key), set, delete: remove };
    const { pendingHops, keep } = await open({ store });
    const { id } = await keep();
    const takes = await Promise.allSettled([pendingHops.take(id, B), pendingHops.take(id, B)]);
    expect(takes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("A hop that is made once keeps its pending hop for others who continue with the same messages.", async () => {
    const { pendingHops, keep } = await open();
    const pending = { ...(await keep()), key: "approved#" };
    await pendingHops.keep(pending);
    expect(await pendingHops.take(pending.id, B)).toEqual(pending);
    expect(await pendingHops.take(pending.id, B)).toEqual(pending);
    await pendingHops.drop(pending.id);
    await expect(pendingHops.take(pending.id, B)).rejects.toMatchObject(UNKNOWN);
  });

  it("A store that fails is named in the error, and what it threw is the cause.", async () => {
    const fail = () => {
      throw new Error("out of order");
    };
    const { pendingHops, decide } = await open({ store: { get: fail, set: fail, delete: fail } });
    const pending = await decide();
    const failed = { code: "callback-failed", message: /store of the host/ };
    for (const work of [
      pendingHops.keep(pending),
      pendingHops.find("hop-1"),
      pendingHops.take("hop-1", B),
      pendingHops.drop("hop-1"),
    ]) {
      await expect(work).rejects.toMatchObject({
        code: failed.code,
        message: expect.stringMatching(failed.message),
        cause: expect.objectContaining({ message: "out of order" }),
      });
    }
  });
});

describe("the hop that a person was asked about", () => {
  it("is read from the messages with its seal, but not from the call of another hop", async () => {
    const { decide } = await open();
    const pending = await decide();
    const call = {
      type: "tool-call",
      toolName: "b",
      input: pending.call.arguments,
      providerOptions: toHopMark(pending, "sealed"),
    };
    const read = (toolCallId: string) =>
      readAskedHop([{ role: "assistant", content: [{ ...call, toolCallId }] }], toolCallId);
    expect(read(pending.id)).toEqual({ pending, seal: "sealed" });
    expect(read("hop-other")).toBeUndefined();
  });
});
