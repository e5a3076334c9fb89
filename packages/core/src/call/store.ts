import { ToolrailError, toToolrailError } from "../errors.ts";
import { weigh } from "../json/json.ts";
import { withOwnSignal } from "./until-aborted.ts";

const MAX_WAIT_MS = 10_000;

/** The keys that are being claimed in this process, for each store that cannot claim. */
const claims = new WeakMap<Store, Set<string>>();

/**
 * The store of an application: no value is `undefined`, whatever the store says instead. Without a `claim` of its own, only one
 * caller in this process claims a key.
 */
export class OpenedStore implements ClaimingStore {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async get(key: string): Promise<unknown> {
    return (await this.#store.get(key)) ?? undefined;
  }

  set(key: string, value: unknown, ttlMs: number): unknown {
    return this.#store.set(key, value, ttlMs);
  }

  delete(key: string): unknown {
    return this.#store.delete(key);
  }

  async claim(key: string, value: unknown, ttlMs: number): Promise<boolean> {
    const store = this.#store;
    if (store.claim) return store.claim(key, value, ttlMs);
    const busy = claims.get(store) ?? new Set<string>();
    claims.set(store, busy);
    if (busy.has(key)) return false;
    busy.add(key);
    try {
      if ((await this.get(key)) !== undefined) return false;
      await store.set(key, value, ttlMs);
      return true;
    } finally {
      busy.delete(key);
    }
  }
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

/**
 * Keeps values that outlive a call: pending hops, which guarded queries have used their call, and, with `claim`, the results
 * of calls. Values are plain JSON. Every method may return a promise. A Keyv instance fits, and so does a table of a
 * database. Processes that share a store can continue the runs of each other.
 */
export interface Store {
  /** Returns the value, or `undefined`. */
  get(key: string): unknown;
  /** Stores a value, which may be dropped after `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): unknown;
  /**
   * Removes a value. Returns a truthy value, such as `true` or `1`, to the caller that removed it, and a falsy one to all
   * others.
   */
  delete(key: string): unknown;
  /**
   * Stores the value for at least `ttlMs` milliseconds if the key has no value, or an expired one. Returns `true` to the
   * caller whose value is stored, and `false` to all others. Must be one atomic step (`insert … on conflict`, `SET … NX
   * PX`). Without `claim`, two workers that continue the same run at once may both make a call.
   */
  claim?(key: string, value: unknown, ttlMs: number): boolean | PromiseLike<boolean>;
}

/** A store that can ensure that a call is made once. */
export type ClaimingStore = Store & Required<Pick<Store, "claim">>;

interface MemoryBounds {
  readonly maxBytes: number;
  now(): number;
  /** Runs when values are dropped before their time, once for all that make room for one. */
  readonly onForget?: (() => void) | undefined;
}

interface Entry {
  readonly value: unknown;
  readonly expiresAtMs: number;
  readonly bytes: number;
  /** True for a value that was claimed: it stays until it expires. */
  readonly isClaimed: boolean;
}

/** The approximate size of an entry besides its key and its value. */
const ENTRY_BYTES = 200;

/** Builds the key of a value that belongs to a conversation. */
export function toConversationKey(conversation: string | undefined, key: string): string {
  return conversation === undefined ? key : `${encodeURIComponent(conversation)}/${key}`;
}

/**
 * A store in this process. If it is full, it loses its oldest values. A claimed value is never dropped before its time: if the
 * claimed values alone fill the memory, `claim` throws.
 */
export class MemoryStore implements Required<Store> {
  readonly #entries = new Map<string, Entry>();
  readonly #bounds: MemoryBounds;
  #total = 0;
  #claimed = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  get(key: string): unknown {
    return this.#find(key)?.value;
  }

  set(key: string, value: unknown, ttlMs: number): void {
    this.#put(key, { value, ttlMs, isClaimed: this.#find(key)?.isClaimed ?? false });
  }

  delete(key: string): boolean {
    const isLive = this.#find(key) !== undefined;
    this.#remove(key);
    return isLive;
  }

  claim(key: string, value: unknown, ttlMs: number): boolean {
    if (this.#find(key)) return false;
    this.#put(key, { value, ttlMs, isClaimed: true });
    return true;
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.expiresAtMs > this.#bounds.now() ? entry : undefined;
  }

  #put(
    key: string,
    { value, ttlMs, isClaimed }: { value: unknown; ttlMs: number; isClaimed: boolean },
  ): void {
    const { maxBytes, now, onForget } = this.#bounds;
    const weight = weigh(value, { maxBytes, maxDepth: 256 });
    const bytes = ENTRY_BYTES + key.length + (typeof weight === "number" ? weight : maxBytes);
    const isOver = () => this.#claimed - (this.#find(key)?.bytes ?? 0) + bytes > maxBytes;
    if (isClaimed && isOver()) this.#dropExpired();
    // The value that was claimed before stays.
    if (isClaimed && isOver()) throw isFull();
    this.#remove(key);
    if (bytes > maxBytes) {
      onForget?.(); // A value that never fits pushes no other out.
      return;
    }
    this.#entries.set(key, { value, expiresAtMs: now() + ttlMs, bytes, isClaimed });
    this.#total += bytes;
    if (isClaimed) this.#claimed += bytes;
    if (this.#total > maxBytes) this.#makeRoom();
  }

  #remove(key: string): void {
    const { bytes = 0, isClaimed = false } = this.#entries.get(key) ?? {};
    this.#total -= bytes;
    if (isClaimed) this.#claimed -= bytes;
    this.#entries.delete(key);
  }

  #dropExpired(): void {
    for (const key of this.#entries.keys()) if (!this.#find(key)) this.#remove(key);
  }

  /** Drops expired values, and then the oldest: slightly more than is needed, so that not every later value has to free memory. */
  #makeRoom(): void {
    const { maxBytes, onForget } = this.#bounds;
    this.#dropExpired();
    if (this.#total <= maxBytes) return;
    for (const [key, { isClaimed }] of this.#entries) {
      if (this.#total <= maxBytes * 0.99) break;
      if (!isClaimed) this.#remove(key);
    }
    onForget?.();
  }
}

function isFull(): ToolrailError {
  const message =
    "The default store is full of calls that were made once (limits.maxStoreBytes), so no further one is made: raise the limit, or pass a `store`.";
  return new ToolrailError("callback-failed", message);
}
