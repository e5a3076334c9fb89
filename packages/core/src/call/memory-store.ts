import { weigh } from "../json.ts";
import type { Store } from "./store.ts";

interface MemoryBounds {
  readonly maxBytes: number;
  /** For the keys of one scope: see `toScopedKey`. */
  readonly maxScopeBytes: number;
  now(): number;
  /** Told when a value goes before its time. */
  readonly onForget?: ((scope: string) => void) | undefined;
}

interface Entry {
  readonly value: unknown;
  readonly expiresAtMs: number;
  readonly bytes: number;
  readonly scope: Scope;
}

interface Scope {
  readonly name: string;
  readonly keys: Set<string>;
  bytes: number;
}

/** What an entry costs beside its key and its value, about. */
const ENTRY_BYTES = 200;
/** So many forgotten keys are known as such. */
const MAX_FORGOTTEN = 10_000;

/** A key that counts for a scope, such as a conversation. Keys without one share what the others leave. */
export function toScopedKey(scope: string | undefined, key: string): string {
  return scope === undefined ? key : `${encodeURIComponent(scope)}/${key}`;
}

/**
 * A store in the memory of this process, bounded in bytes. Where a scope is full, its own oldest value goes; where
 * memory is, the oldest of those scopes that have more than their share. What has expired goes first.
 */
export function createMemoryStore(bounds: MemoryBounds): Required<Store> {
  const { maxBytes, maxScopeBytes, now, onForget } = bounds;
  const entries = new Map<string, Entry>();
  const scopes = new Map<string, Scope>();
  const forgotten = new Set<string>();
  let total = 0;

  const remove = (key: string): void => {
    const entry = entries.get(key);
    if (!entry) return;
    const { scope, bytes } = entry;
    entries.delete(key);
    scope.keys.delete(key);
    scope.bytes -= bytes;
    total -= bytes;
    if (scope.keys.size === 0) scopes.delete(scope.name);
  };
  const purge = (keys: Iterable<string>): void => {
    for (const key of keys) if (!isLive(entries.get(key))) remove(key);
  };
  const isLive = (entry: Entry | undefined) => entry !== undefined && entry.expiresAtMs > now();
  const forget = (key: string | undefined): void => {
    const scope = entries.get(key ?? "")?.scope;
    if (key === undefined || !scope) return;
    remove(key);
    forgotten.add(key);
    const [oldest] = forgotten;
    if (forgotten.size > MAX_FORGOTTEN && oldest !== undefined) forgotten.delete(oldest);
    onForget?.(decodeURIComponent(scope.name));
  };
  const oldestOfLarge = () => {
    for (const [key, { scope }] of entries) if (scope.bytes >= total / scopes.size) return key;
    return undefined;
  };
  const makeRoom = (scope: Scope): void => {
    if (scope.name !== "" && scope.bytes > maxScopeBytes) {
      purge(scope.keys);
      while (scope.bytes > maxScopeBytes) forget(first(scope.keys));
    }
    if (total <= maxBytes) return;
    purge(entries.keys());
    // A little more than is needed, so that this is not done for each value.
    while (total > maxBytes * 0.99) forget(oldestOfLarge());
  };
  const set = (key: string, value: unknown, ttlMs: number): void => {
    remove(key);
    forgotten.delete(key);
    const weight = weigh(value, { maxBytes, maxDepth: 256 });
    const bytes = ENTRY_BYTES + key.length + (typeof weight === "number" ? weight : maxBytes + 1);
    const name = key.slice(0, Math.max(key.indexOf("/"), 0));
    const scope = scopes.get(name) ?? { name, keys: new Set(), bytes: 0 };
    scopes.set(name, scope);
    scope.keys.add(key);
    scope.bytes += bytes;
    total += bytes;
    entries.set(key, { value, expiresAtMs: now() + ttlMs, bytes, scope });
    makeRoom(scope);
  };
  const find = (key: string) => {
    const entry = entries.get(key);
    return isLive(entry) ? entry : undefined;
  };
  return {
    get: (key) => find(key)?.value,
    set,
    delete(key) {
      const isThere = find(key) !== undefined;
      remove(key);
      return isThere;
    },
    claim(key, ttlMs) {
      if (find(key)) return false;
      set(key, true, ttlMs);
      return true;
    },
    forgot: (key) => forgotten.has(key),
  };
}

function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}
