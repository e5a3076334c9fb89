import { deepEqual, equal, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Store } from "@toolrail/core";
import type { Checks } from "../scenario.ts";

const DAY_MS = 86_400_000;
const CALLERS = 20;

const VALUES = [
  { nested: [{ deep: { list: [1, 2.5, -0.1, 1e21, null, true, false] } }], "": "empty key" },
  "text with \u0000, \u202e, é, 🚂 and \" ' \\ $1 ${a} %s",
  "x".repeat(1_000_000),
  { b: 1, a: 2 },
  [],
  0,
  false,
  "",
] as const;

/** Lets many callers use a store at once, each through a separate opening, and returns what they got. */
async function atOnce(
  run: () => Store | Promise<Store>,
  ask: (store: Store, caller: number) => unknown,
): Promise<unknown[]> {
  const stores = await Promise.all(Array.from({ length: CALLERS }, run));
  return Promise.all(stores.map(ask));
}

/** Lets many callers claim a key at once, and returns those that succeeded. */
async function claimAtOnce(run: () => Store | Promise<Store>, key: string): Promise<number[]> {
  const got = await atOnce(run, (store, caller) => claim(store, { key, value: { caller } }));
  for (const each of got) equal(typeof each, "boolean");
  return got.flatMap((isOwn, caller) => (isOwn === true ? caller : []));
}

const NO_CLAIM =
  "The store has no claim(key, value, ttlMs), as a Keyv instance has none: two processes would make one call twice.";

function claim(store: Store, { key, value }: { readonly key: string; readonly value: unknown }) {
  ok(store.claim, NO_CLAIM);
  return store.claim(key, value, DAY_MS);
}

async function expire(store: Store, key: string): Promise<void> {
  await store.set(key, "old", 1);
  for (let tries = 0; (await store.get(key)) !== undefined; tries++) {
    ok(tries < 2_000, "A value that was kept for a millisecond is there for seconds.");
    await setTimeout(5);
  }
}

/** Checks of a store. Each check has separate keys. */
export const storeChecks = {
  "store/values": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    for (const value of VALUES) {
      await store.set(key, value, DAY_MS);
      const found = await store.get(key);
      deepEqual(found, value);
      // Hashes are computed from the stored values, so the order of keys counts.
      equal(JSON.stringify(found), JSON.stringify(value));
    }
  },

  "store/absent": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    equal(await store.get(key), undefined);
    ok(!(await store.delete(key)));
  },

  "store/keys": async (run) => {
    const [store, id] = [await run(), randomUUID()];
    const ends = ["a", "A", "a ", "%", "_", "'", '"', "/a", ":a", "é", "x".repeat(5_000)];
    const keys = [...ends, `${ends.at(-1)}y`].map((end) => `${id}${end}`);
    for (const key of keys) await store.set(key, { key }, DAY_MS);
    for (const key of keys) deepEqual(await store.get(key), { key });
  },

  "store/replaces": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    await store.set(key, { first: true }, 1);
    await store.set(key, { second: true }, DAY_MS);
    deepEqual(await store.get(key), { second: true });
  },

  "store/shared": async (run) => {
    const key = randomUUID();
    await (await run()).set(key, "kept", DAY_MS);
    equal(await (await run()).get(key), "kept");
    ok(await (await run()).delete(key));
    equal(await (await run()).get(key), undefined);
  },

  "store/expires": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    await expire(store, key);
    ok(!(await store.delete(key)));
  },

  "store/stays": async (run) => {
    const store = await run();
    for (const ttlMs of [DAY_MS, 0.5 + DAY_MS, 365 * DAY_MS, Number.MAX_SAFE_INTEGER]) {
      const key = randomUUID();
      await store.set(key, "kept", ttlMs);
      equal(await store.get(key), "kept", `It is gone although it was kept for ${ttlMs} ms.`);
    }
  },

  "store/deletes-once": async (run) => {
    const key = randomUUID();
    await (await run()).set(key, "kept", DAY_MS);
    const deleted = await atOnce(run, (store) => store.delete(key));
    equal(deleted.filter(Boolean).length, 1);
  },

  "store/claims-once": async (run) => {
    const key = randomUUID();
    const winners = await claimAtOnce(run, key);
    equal(winners.length, 1);
    deepEqual(await (await run()).get(key), { caller: winners[0] });
  },

  "store/claims-expired": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    await expire(store, key);
    const winners = await claimAtOnce(run, key);
    equal(winners.length, 1);
    deepEqual(await store.get(key), { caller: winners[0] });
  },

  "store/claims-deleted": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    equal(await claim(store, { key, value: 1 }), true);
    ok(await store.delete(key));
    equal(await claim(store, { key, value: 2 }), true);
    equal(await store.get(key), 2);
  },

  "store/claims-kept": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    await store.set(key, "kept", DAY_MS);
    equal(await claim(store, { key, value: "claimed" }), false);
    equal(await store.get(key), "kept");
  },

  "store/settles": async (run) => {
    const [store, key] = [await run(), randomUUID()];
    await claim(store, { key, value: "started" });
    await store.set(key, "settled", DAY_MS);
    equal(await claim(await run(), { key, value: "started" }), false);
    equal(await store.get(key), "settled");
  },
} satisfies Checks<"store">;
