import type { HostOptions, Store } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { once } from "@toolrail/plugins/once";
import { references } from "@toolrail/plugins/references";

/** What a row holds of a hop. */
interface HopRow {
  readonly answer?: { readonly arguments?: JsonObject };
}

/** A store with rows of text, as a table of a database has them, and how often each was read. */
export function openRowStore() {
  const rows = new Map<string, string>();
  const reads: string[] = [];
  const ttls = new Map<string, number>();
  const set = (key: string, value: unknown, ttlMs: number): void => {
    rows.set(key, JSON.stringify(value));
    ttls.set(key, ttlMs);
  };
  const peek = (key: string): unknown => JSON.parse(rows.get(key) ?? "null") ?? undefined;
  const store: Required<Store> = {
    get(key) {
      reads.push(key);
      return peek(key);
    },
    set,
    delete: (key) => rows.delete(key),
    claim(key, value, ttlMs) {
      if (rows.has(key)) return false;
      set(key, value, ttlMs);
      return true;
    },
  };
  return { store, rows, reads, ttls, peek: (key: string) => peek(key) as HopRow | undefined };
}

/** A host that keeps nearly every result in its store, and what that store holds. */
export function inRows() {
  const own = openRowStore();
  const options: Omit<HostOptions, "servers"> = {
    use: [references({ minLength: 40 }), once({ afterCrash: "repeat" })],
    store: own.store,
  };
  return { ...own, options };
}

/** Where a graph keeps what its steps brought. */
export const PLACES = {
  "its results in its channels": { options: {}, toConfig: () => ({}) },
  "its results in a store": {
    options: inRows().options,
    toConfig: () => ({ configurable: { thread_id: crypto.randomUUID() } }),
  },
};
