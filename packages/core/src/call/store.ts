import { ToolrailError, toToolrailError } from "../errors.ts";
import type { ClaimingStore, Store } from "../types/store.ts";
import { withOwnSignal } from "./until-aborted.ts";

const MAX_WAIT_MS = 10_000;

/** The keys that are being claimed in this process, for each store that cannot claim. */
const claims = new WeakMap<Store, Set<string>>();

/** Adds `claim` to a store. If the store has none, only one caller in this process claims a key at a time. */
export function toClaiming(store: Store): ClaimingStore {
  if (store.claim) return store as ClaimingStore;
  const busy = claims.get(store) ?? new Set<string>();
  claims.set(store, busy);
  return {
    get: (key) => store.get(key),
    set: (key, value, ttlMs) => store.set(key, value, ttlMs),
    delete: (key) => store.delete(key),
    async claim(key, value, ttlMs) {
      if (busy.has(key)) return false;
      busy.add(key);
      try {
        if ((await store.get(key)) !== undefined) return false;
        await store.set(key, value, ttlMs);
        return true;
      } finally {
        busy.delete(key);
      }
    },
  };
}

/** Asks a store. Rejects with `callback-failed` if it fails. */
export async function askStore<T>(ask: () => T): Promise<Awaited<T>> {
  try {
    return await ask();
  } catch (cause) {
    throw toToolrailError(cause, "The store of the host failed");
  }
}

/** Asks a store that may be slow. Rejects with `callback-failed` if it fails or does not answer in time. */
export function askInTime<T>(
  ask: (signal: AbortSignal) => T,
  signal?: AbortSignal,
): Promise<Awaited<T>> {
  const message = `The store of the host did not answer within ${MAX_WAIT_MS} ms: try again when it is reachable.`;
  const late = () => new ToolrailError("callback-failed", message);
  return withOwnSignal({ signal, timeoutMs: MAX_WAIT_MS, late }, (own) => askStore(() => ask(own)));
}

/** Returns true to one caller with this key. Without `claim` in the store, two callers at the very same time may both get true. */
export async function claimOnce(
  store: Store,
  claim: { readonly key: string; readonly ttlMs: number; readonly value?: unknown },
): Promise<boolean> {
  const { key, ttlMs, value = true } = claim;
  return (await toClaiming(store).claim(key, value, ttlMs)) === true;
}
