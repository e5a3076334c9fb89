import { weigh } from "@toolrail/json";
import type { Store } from "../types/store.ts";

interface MemoryBounds {
  readonly maxBytes: number;
  /** The limit of the values of one conversation: see `toConversationKey`. */
  readonly maxConversationBytes: number;
  /** The most values of one conversation. Default: as many as fit. */
  readonly maxConversationValues?: number;
  now(): number;
  /** Runs when a value is dropped before its time. */
  readonly onForget?: ((conversation: string) => void) | undefined;
}

interface Entry {
  readonly value: unknown;
  readonly expiresAtMs: number;
  readonly bytes: number;
}

interface ConversationEntries {
  readonly name: string;
  readonly entries: Map<string, Entry>;
  bytes: number;
}

/** The approximate size of an entry besides its key and its value. */
const ENTRY_BYTES = 200;

/** Builds the key of a value that belongs to a conversation. Keys without a conversation share the remaining memory. */
export function toConversationKey(conversation: string | undefined, key: string): string {
  return conversation === undefined ? key : `${encodeURIComponent(conversation)}/${key}`;
}

/** Creates a store in this process. A full conversation loses its oldest value. If the memory is full, the largest conversation does. */
export function createMemoryStore(bounds: MemoryBounds): Required<Store> {
  const { maxBytes, maxConversationBytes, now, onForget } = bounds;
  const { maxConversationValues = Number.POSITIVE_INFINITY } = bounds;
  const conversations = new Map<string, ConversationEntries>();
  let total = 0;

  const readConversation = (key: string): ConversationEntries => {
    const name = key.slice(0, Math.max(key.indexOf("/"), 0));
    return conversations.get(name) ?? { name, entries: new Map(), bytes: 0 };
  };
  const remove = (key: string, bucket = readConversation(key)): boolean => {
    const { bytes = 0, expiresAtMs = 0 } = bucket.entries.get(key) ?? {};
    bucket.bytes -= bytes;
    total -= bytes;
    bucket.entries.delete(key);
    if (bucket.entries.size === 0) conversations.delete(bucket.name);
    return expiresAtMs > now();
  };
  /** Shrinks a conversation to a number of bytes: expired values are removed first, and then the oldest. */
  const shrink = (bucket: ConversationEntries, most: number): void => {
    for (const [key, { expiresAtMs }] of bucket.entries)
      if (expiresAtMs <= now()) remove(key, bucket);
    for (const key of bucket.entries.keys()) {
      if (bucket.bytes <= most && bucket.entries.size <= maxConversationValues) return;
      remove(key, bucket);
      onForget?.(decodeURIComponent(bucket.name));
    }
  };
  const get = (key: string) => {
    const entry = readConversation(key).entries.get(key);
    return entry && entry.expiresAtMs > now() ? entry.value : undefined;
  };
  const set = (key: string, value: unknown, ttlMs: number): void => {
    remove(key);
    const weight = weigh(value, { maxBytes, maxDepth: 256 });
    const bytes = ENTRY_BYTES + key.length + (typeof weight === "number" ? weight : maxBytes);
    const bucket = readConversation(key);
    conversations.set(bucket.name, bucket);
    bucket.entries.set(key, { value, expiresAtMs: now() + ttlMs, bytes });
    bucket.bytes += bytes;
    total += bytes;
    const isFull =
      bucket.bytes > maxConversationBytes || bucket.entries.size > maxConversationValues;
    if (bucket.name !== "" && isFull) shrink(bucket, maxConversationBytes);
    if (total <= maxBytes) return;
    for (const each of [...conversations.values()]) shrink(each, maxBytes);
    // The loop frees slightly more than is needed, so that not every later value has to free memory.
    for (let over = total - maxBytes; over > 0; over = total - maxBytes * 0.99) {
      const largest = [...conversations.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a));
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
