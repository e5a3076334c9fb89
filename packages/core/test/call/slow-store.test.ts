import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../../src/index.ts";
import { openWorkers } from "./workers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };
const AT = { key: "thread-1" };
const LONG_MS = 60_000;

/** A promise that never settles. */
const never = <T>() => new Promise<T>(() => {});

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Waits, by no timer, until the store has been asked. */
async function untilAsked(store: { claim: unknown }): Promise<void> {
  while (vi.mocked(store.claim as () => void).mock.calls.length === 0) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A worker whose store hangs in these methods. */
async function workWith(hangs: Partial<Store>) {
  const { work, calls, store } = openWorkers();
  const { host } = await work({ store: { ...store, ...hangs } });
  return { host, calls };
}

describe("a store that is slow", () => {
  it("lets no call be made that it has not granted, and the call fails in time", async () => {
    const claim = vi.fn(() => never<boolean>());
    const { host, calls } = await workWith({ claim });
    const chain = host.run(PAY, AT);
    await untilAsked({ claim });
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(await chain).toMatchObject({ ended: "failed", error: { code: "callback-failed" } });
    expect((await chain).error?.message).toContain("did not answer within 10000 ms");
    expect(calls).toEqual([]);
  });

  it("holds up nobody who aborts", async () => {
    const { host, calls } = await workWith({ claim: () => never<boolean>() });
    const aborter = new AbortController();
    const chain = host.run(PAY, { ...AT, signal: aborter.signal });
    await vi.advanceTimersByTimeAsync(0);
    aborter.abort();
    expect((await chain).ended).toBe("aborted");
    expect(calls).toEqual([]);
  });

  it("frees a claim that it grants too late, and the call can be made afterwards", async () => {
    let wake = () => {};
    const late = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const { work, calls, store } = openWorkers();
    const claim = vi.fn(async (key: string, value: unknown, ttlMs: number) => {
      await late;
      return store.claim(key, value, ttlMs);
    });
    const slow = await work({ store: { ...store, claim } });
    const chain = slow.host.run(PAY, AT);
    await untilAsked({ claim });
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect((await chain).ended).toBe("failed");
    wake();
    const { host } = await work();
    expect((await host.run(PAY, AT)).ended).toBe("complete");
    expect(calls).toHaveLength(1);
  });

  it("takes no answer away that has come while it keeps nothing", async () => {
    const set = vi.fn(() => never<void>());
    const { host, calls } = await workWith({ set });
    const chain = host.run(PAY, AT);
    await untilAsked({ claim: set });
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect((await chain).ended).toBe("complete");
    expect(calls).toHaveLength(1);
  });
});
