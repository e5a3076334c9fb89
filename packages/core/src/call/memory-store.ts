import { weigh } from "@toolrail/json";
import type { Store } from "../types/store.ts";

interface MemoryBounds {
  readonly maxBytes: number;
  /** For the keys of one conversation: see `toConversationKey`. */
  readonly maxConversationBytes: number;
  /** Most values of one conversation. Default: as many as fit. */
  readonly maxConversationValues?: number;
  now(): number;
  /** Told when a value goes before its time. */
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

/** What an entry costs beside its key and its value, about. */
const ENTRY_BYTES = 200;

/** Builds the key of a value that belongs to a conversation. Keys without one share what the others leave. */
export function toConversationKey(conversation: string | undefined, key: string): string {
  return conversation === undefined ? key : `${encodeURIComponent(conversation)}/${key}`;
}

/** A store in this process. A full conversation loses its own oldest value, and full memory that of its largest conversation. */
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
  /** Makes room in a conversation: what has expired goes, and then the oldest, down to so many bytes. */
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
    // A little more than is needed, so that not every value has to look for room.
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
