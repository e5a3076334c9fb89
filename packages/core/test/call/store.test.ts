import { describe, expect, it } from "vitest";
import { claimOnce, createMemoryStore } from "../../src/call/store.ts";
import type { Store } from "../../src/index.ts";

describe("createMemoryStore", () => {
  it("keeps a value until it expires or is deleted", () => {
    let nowMs = 0;
    const store = createMemoryStore(10, () => nowMs);
    store.set("a", { n: 1 }, 1_000);
    store.set("b", 2, 2_000);
    nowMs = 999;
    expect(store.get("a")).toEqual({ n: 1 });
    nowMs = 1_000;
    expect(store.get("a")).toBeUndefined();
    expect(store.delete("a")).toBe(false);
    expect(store.delete("b")).toBe(true);
    expect(store.get("b")).toBeUndefined();
  });

  it("forgets the oldest values beyond its size", () => {
    const store = createMemoryStore(2, () => 0);
    for (const key of ["a", "b", "c"]) store.set(key, key, 1_000);
    expect(["a", "b", "c"].map((key) => store.get(key))).toEqual([undefined, "b", "c"]);
  });

  it("forgets an expired value before an older one that still holds", () => {
    let nowMs = 0;
    const store = createMemoryStore(2, () => nowMs);
    store.set("old", 1, 1_000);
    store.set("short", 2, 10);
    nowMs = 10;
    store.set("new", 3, 1_000);
    expect(["old", "short", "new"].map((key) => store.get(key))).toEqual([1, undefined, 3]);
  });

  it("lets a key be claimed again when the claim has expired", () => {
    let nowMs = 0;
    const store = createMemoryStore(2, () => nowMs);
    expect([store.claim("a", 1, 10), store.claim("a", 2, 10)]).toEqual([true, false]);
    nowMs = 10;
    expect(store.claim("a", 3, 10)).toBe(true);
  });
});

describe("claimOnce", () => {
  it("lets one of many that claim at the same time go on", async () => {
    const store = createMemoryStore(10, () => 0);
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimOnce(store, { key: "hop", ttlMs: 1_000 })),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it("tells claims one after another apart in a store that cannot claim", async () => {
    const values = new Map<string, unknown>();
    const store: Store = {
      get: (key) => values.get(key),
      set: (key, value) => values.set(key, value),
      delete: (key) => values.delete(key),
    };
    expect(await claimOnce(store, { key: "hop", ttlMs: 1_000 })).toBe(true);
    expect(await claimOnce(store, { key: "hop", ttlMs: 1_000 })).toBe(false);
  });

  it("does not take any other answer of `claim` for a yes", async () => {
    const store = { ...createMemoryStore(10, () => 0), claim: () => "ok" as unknown as boolean };
    expect(await claimOnce(store, { key: "hop", ttlMs: 1_000 })).toBe(false);
  });
});
