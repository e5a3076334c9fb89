import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../src/call/store.ts";

const HOUR_MS = 3_600_000;

/** A store with a clock, and how many losses it has told. */
function open(bounds: { readonly maxBytes?: number } = {}) {
  const clock = { nowMs: 0 };
  const told = { count: 0 };
  const store = new MemoryStore({
    maxBytes: 1_000_000,
    now: () => clock.nowMs,
    onForget: () => told.count++,
    ...bounds,
  });
  return { store, clock, told };
}

describe("MemoryStore", () => {
  it("keeps a value until it expires or is deleted", () => {
    const { store, clock } = open();
    store.set("a", { n: 1 }, 1_000);
    store.set("b", 2, 2_000);
    clock.nowMs = 999;
    expect(store.get("a")).toEqual({ n: 1 });
    clock.nowMs = 1_000;
    expect(store.get("a")).toBeUndefined();
    expect(store.delete("a")).toBe(false);
    expect(store.delete("b")).toBe(true);
    expect(store.get("b")).toBeUndefined();
  });

  it("forgets the oldest values beyond its bytes, and says so", () => {
    const { store, told } = open({ maxBytes: 30_000 });
    for (const key of ["a", "b", "c"]) store.set(key, "x".repeat(10_000), HOUR_MS);
    expect(["a", "b", "c"].map((key) => store.get(key) !== undefined)).toEqual([false, true, true]);
    expect(told.count).toBe(1);
  });

  it("does not keep a value that is larger than its memory, keeps the others, and says so", () => {
    const { store, told } = open();
    store.set("small", 1, HOUR_MS);
    store.set("large", "x".repeat(2_000_000), HOUR_MS);
    expect([store.get("small"), store.get("large")]).toEqual([1, undefined]);
    expect(told.count).toBe(1);
  });

  it("forgets an expired value before an older one that still holds", () => {
    const { store, clock, told } = open({ maxBytes: 30_000 });
    store.set("old", "x".repeat(10_000), HOUR_MS);
    store.set("short", "x".repeat(10_000), 10);
    clock.nowMs = 10;
    store.set("new", "x".repeat(10_000), HOUR_MS);
    expect(["old", "short", "new"].map((key) => store.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    expect(told.count).toBe(0);
  });

  it("lets a key be claimed again when the claim has expired", () => {
    const { store, clock } = open();
    expect([store.claim("a", 1, 10), store.claim("a", 1, 10)]).toEqual([true, false]);
    clock.nowMs = 10;
    expect(store.claim("a", 1, 10)).toBe(true);
  });

  it("never drops what was claimed, also after it was set anew: a full memory drops other values", () => {
    const { store } = open({ maxBytes: 30_000 });
    void store.claim("once:1", "sent", HOUR_MS);
    store.set("once:1", "made", HOUR_MS);
    store.set("once:1", "made", HOUR_MS);
    for (let n = 0; n < 100; n++) store.set(`answer:${n}`, "x".repeat(5_000), HOUR_MS);
    expect(store.get("once:1")).toBe("made");
    expect(store.get("answer:0")).toBeUndefined();
  });

  it("keeps what was claimed if there is no room for its longer value", () => {
    const { store } = open({ maxBytes: 5_000 });
    void store.claim("once:1", "sent", HOUR_MS);
    expect(() => store.set("once:1", "x".repeat(6_000), HOUR_MS)).toThrow(/store is full/);
    expect(store.get("once:1")).toBe("sent");
  });

  it("refuses further claims when it is full of them, until some have expired", () => {
    const { store, clock } = open({ maxBytes: 30_000 });
    const claim = (n: number) => store.claim(`once:${n}`, "x".repeat(1_000), 10);
    let count = 0;
    expect(() => {
      while (count < 100) if (claim(count) === true) count++;
    }).toThrow(/store is full/);
    expect(count).toBeGreaterThan(10);
    expect(store.get("once:0")).toBeDefined();
    clock.nowMs = 10;
    expect(claim(1_000)).toBe(true);
  });
});
