import { weigh } from "@toolrail/json";
import type { Store } from "../types/store.ts";

interface MemoryBounds {
  readonly maxBytes: number;
  /** For the keys of one scope: see `toScopedKey`. */
  readonly maxScopeBytes: number;
  /** Most values of one scope. Default: as many as fit. */
  readonly maxScopeValues?: number;
  now(): number;
  /** Told when a value goes before its time. */
  readonly onForget?: ((scope: string) => void) | undefined;
}

interface Entry {
  readonly value: unknown;
  readonly expiresAtMs: number;
  readonly bytes: number;
}

interface Scope {
  readonly name: string;
  readonly entries: Map<string, Entry>;
  bytes: number;
}

/** What an entry costs beside its key and its value, about. */
const ENTRY_BYTES = 200;

/** A key that counts for a scope, such as a conversation. Keys without one share what the others leave. */
export function toScopedKey(scope: string | undefined, key: string): string {
  return scope === undefined ? key : `${encodeURIComponent(scope)}/${key}`;
}

/** A store in this process. A full scope loses its own oldest value, and full memory that of its largest scope. */
export function createMemoryStore(bounds: MemoryBounds): Required<Store> {
  const { maxBytes, maxScopeBytes, now, onForget } = bounds;
  const { maxScopeValues = Number.POSITIVE_INFINITY } = bounds;
  const scopes = new Map<string, Scope>();
  let total = 0;

  const scopeOf = (key: string): Scope => {
    const name = key.slice(0, Math.max(key.indexOf("/"), 0));
    return scopes.get(name) ?? { name, entries: new Map(), bytes: 0 };
  };
  const remove = (key: string, scope = scopeOf(key)): boolean => {
    const { bytes = 0, expiresAtMs = 0 } = scope.entries.get(key) ?? {};
    scope.bytes -= bytes;
    total -= bytes;
    scope.entries.delete(key);
    if (scope.entries.size === 0) scopes.delete(scope.name);
    return expiresAtMs > now();
  };
  /** Makes room in a scope: what has expired goes, and then the oldest, down to so many bytes. */
  const shrink = (scope: Scope, most: number): void => {
    for (const [key, { expiresAtMs }] of scope.entries)
      if (expiresAtMs <= now()) remove(key, scope);
    for (const key of scope.entries.keys()) {
      if (scope.bytes <= most && scope.entries.size <= maxScopeValues) return;
      remove(key, scope);
      onForget?.(decodeURIComponent(scope.name));
    }
  };
  const get = (key: string) => {
    const entry = scopeOf(key).entries.get(key);
    return entry && entry.expiresAtMs > now() ? entry.value : undefined;
  };
  const set = (key: string, value: unknown, ttlMs: number): void => {
    remove(key);
    const weight = weigh(value, { maxBytes, maxDepth: 256 });
    const bytes = ENTRY_BYTES + key.length + (typeof weight === "number" ? weight : maxBytes);
    const scope = scopeOf(key);
    scopes.set(scope.name, scope);
    scope.entries.set(key, { value, expiresAtMs: now() + ttlMs, bytes });
    scope.bytes += bytes;
    total += bytes;
    const isFull = scope.bytes > maxScopeBytes || scope.entries.size > maxScopeValues;
    if (scope.name !== "" && isFull) shrink(scope, maxScopeBytes);
    if (total <= maxBytes) return;
    for (const each of [...scopes.values()]) shrink(each, maxBytes);
    // A little more than is needed, so that not every value has to look for room.
    for (let over = total - maxBytes; over > 0; over = total - maxBytes * 0.99) {
      const largest = [...scopes.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
      shrink(largest, largest.bytes - over);
    }
  };
  return {
    get,
    set,
    delete: (key) => remove(key),
    claim(key, value, ttlMs) {
      if (get(key) !== undefined) return false;
      set(key, value, ttlMs);
      return true;
    },
  };
}
