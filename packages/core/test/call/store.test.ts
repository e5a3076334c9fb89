import { describe, expect, it } from "vitest";
import { MemoryStore, OpenedStore } from "../../src/call/store.ts";
import type { Store } from "../../src/index.ts";

function createStore() {
  return new MemoryStore({ maxBytes: 100_000, now: () => 0 });
}

const claimOnce = (store: Store, { key, ttlMs }: { key: string; ttlMs: number }) =>
  new OpenedStore(store).claim(key, true, ttlMs);

describe("the store of a host", () => {
  it.each([null, undefined])(
    "has no value if the store of the application says %s",
    async (nothing) => {
      const kept: string[] = [];
      const store: Store = { get: () => nothing, set: (key) => kept.push(key), delete: () => 0 };
      expect(await new OpenedStore(store).get("hop")).toBeUndefined();
      expect(await claimOnce(store, { key: "hop", ttlMs: 1_000 })).toBe(true);
      expect(kept).toEqual(["hop"]);
    },
  );

  it("lets one of many that claim at the same time continue", async () => {
    const store = createStore();
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimOnce(store, { key: "hop", ttlMs: 1_000 })),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  it("grants one of several claims made one after another in a store that cannot claim", async () => {
    const values = new Map<string, unknown>();
    const store: Store = {
      get: (key) => values.get(key),
      set: (key, value) => values.set(key, value),
      delete: (key) => values.delete(key),
    };
    expect(await claimOnce(store, { key: "hop", ttlMs: 1_000 })).toBe(true);
    expect(await claimOnce(store, { key: "hop", ttlMs: 1_000 })).toBe(false);
  });

  it("lets one of two in this process continue that claim at the same time in a store that cannot claim", async () => {
    const values = new Map<string, unknown>();
    const store: Store = {
      get: async (key) => values.get(key),
      set: async (key, value) => void values.set(key, value),
      delete: async (key) => void values.delete(key),
    };
    const claim = () => claimOnce(store, { key: "hop", ttlMs: 1_000 });
    expect((await Promise.all([claim(), claim()])).filter(Boolean)).toHaveLength(1);
  });
});
