import { ToolrailError, toToolrailError } from "../errors.ts";
import type { ClaimingStore, Store } from "../types/store.ts";
import { withOwnSignal } from "./until-aborted.ts";

const MAX_WAIT_MS = 10_000;

/** The keys that are being claimed in this process, for each store that cannot claim. */
const claims = new WeakMap<Store, Set<string>>();

/**
 * Wraps the store of an application: no value is `undefined`, whatever the store says instead. Without a `claim` of its own, only
 * one caller in this process claims a key.
 */
export function openStore(store: Store): ClaimingStore {
  const get = async (key: string) => (await store.get(key)) ?? undefined;
  const set = (key: string, value: unknown, ttlMs: number) => store.set(key, value, ttlMs);
  const busy = claims.get(store) ?? new Set<string>();
  claims.set(store, busy);
  const claimHere = async (key: string, value: unknown, ttlMs: number) => {
    if (busy.has(key)) return false;
    busy.add(key);
    try {
      if ((await get(key)) !== undefined) return false;
      await set(key, value, ttlMs);
      return true;
    } finally {
      busy.delete(key);
    }
  };
  return {
    get,
    set,
    delete: (key) => store.delete(key),
    claim: (...claim) => (store.claim ? store.claim(...claim) : claimHere(...claim)),
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
