import { createHost, type Hop, type Store } from "@toolrail/core";

import { engineOf } from "@toolrail/core/plugin";
import { references } from "@toolrail/plugins/references";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openWorkers } from "../../../core/test/call/workers.ts";

const PAGE = "A line of a page.\n".repeat(600);
const RESULT = { content: [{ type: "text", text: PAGE }] };
const TOOLS = { make: {}, read: { annotations: { readOnlyHint: true } }, short: {} };

/** A host that keeps long hops in its store, and what it wrote there. */
async function open(hangs: Partial<Store> = {}) {
  const { work, store } = openWorkers(
    ({ name }) => (name === "short" ? { content: [] } : RESULT),
    TOOLS,
  );
  const set = vi.fn(store.set);
  // What a database gives back is no object that was put there.
  const get = (key: string) => structuredClone(store.get(key));
  const own = { ...store, set, get, ...hangs };
  const { host } = await work({ use: [references()], store: own });
  const { hopRows } = engineOf(host).services;
  if (!hopRows) throw new Error("There are no rows.");
  const call = (tool: string, args = {}) =>
    host.call({ tool: `bank.${tool}`, arguments: args }, { key: crypto.randomUUID() });
  return { host, hopRows, store, call, written: () => set.mock.calls.map(([key]) => key) };
}

afterEach(() => void vi.useRealTimers());

describe("a long hop in the store of its host", () => {
  it.each([
    ["a tool that is read-only", "read", {}, ["hop"]],
    ["a tool that is called once", "make", {}, ["call"]],
    ["long arguments as well", "make", { body: PAGE }, ["call", "rest"]],
    ["long arguments alone", "short", { body: PAGE }, ["hop"]],
  ])("is short, and whole when it is taken (%s)", async (_, tool, args, kinds) => {
    const { hopRows, call, written } = await open();
    const hop = await call(tool, args);
    const short = await hopRows.put(hop, "alice");
    expect(JSON.stringify(short).length).toBeLessThan(700);
    expect(await hopRows.take(JSON.parse(JSON.stringify(short)))).toEqual(hop);
    expect(short.rows?.map((key) => /call|hop|rest/.exec(key)?.[0])).toEqual(kinds);
    expect(written()).toEqual(expect.arrayContaining([...(short.rows ?? [])]));
  });

  it.each(["read", "make"])("is not written again when it is put again (%s)", async (tool) => {
    const { hopRows, call, written } = await open();
    const short = await hopRows.put(await call(tool), "alice");
    const taken = await hopRows.take(short);
    const before = written().length;
    expect(await hopRows.put({ ...taken }, "alice")).toEqual(short);
    expect(written()).toHaveLength(before);
  });

  it("is a different one if the same object answered another call", async () => {
    const { hopRows, call } = await open();
    const [first, other] = [await call("make"), await call("make")];
    const hops = [first, { ...other, result: first.result }];
    const shorts = await Promise.all(hops.map((hop) => hopRows.put(hop, "alice")));
    const taken = await Promise.all(shorts.map((short) => hopRows.take(short)));
    expect(taken).toEqual(hops);
  });

  it("stays whole if another worker does not know that its result is in the store", async () => {
    const { hopRows, call } = await open();
    const hop = await call("make", { body: PAGE });
    const knows = () => hopRows.put(hop, "alice");
    const doesNot = () => hopRows.put(structuredClone(hop), "alice");
    for (const [first, other] of [[knows, doesNot] as const, [doesNot, knows] as const]) {
      for (const short of [await first(), await other()]) {
        expect(await hopRows.take(short)).toEqual(hop);
      }
    }
  });

  it("lies in the rows of its conversation", async () => {
    const { hopRows, call } = await open();
    const hop = await call("read");
    const { rows = [] } = await hopRows.put(hop, "alice/bob");
    expect(rows).toEqual([`alice%2Fbob/hop:${hop.callId}`]);
  });

  it("is another call's if its row was overwritten", async () => {
    const { hopRows, call, store } = await open();
    const short = await hopRows.put(await call("make"), "alice");
    await store.set(short.rows?.[0] ?? "", { answer: { callId: "another", result: RESULT } }, 1e6);
    await expect(hopRows.take(short)).rejects.toMatchObject({ code: "reference-lost" });
  });
});

describe("a store that gives no answer", () => {
  const never = () => new Promise(() => {});

  it.each([
    ["put", { set: never }],
    ["taken", { get: never }],
  ])("holds a hop that is %s up for ten seconds", async (what, hangs) => {
    const { hopRows, call } = await open(hangs);
    const hop = await call("read");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked: Promise<Hop> =
      what === "put" ? hopRows.put(hop, "alice") : hopRows.take({ ...hop, rows: ["alice/hop:1"] });
    const end = asked.catch((error) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    const failed = expect.objectContaining({ code: "callback-failed" });
    expect(await end).toEqual(what === "put" ? hop : failed);
  });
});

it("A host without references, or without a store of its own, has no rows.", async () => {
  const { store } = openWorkers();
  const servers = { web: { list: async () => ({ tools: [] }), call: async () => RESULT } };
  const hosts = [{ store }, { use: [references()] }].map((options) =>
    createHost({ servers, ...options }),
  );
  for (const host of await Promise.all(hosts))
    expect(engineOf(host).services.hopRows).toBeUndefined();
});
