import { createMemoryStore, toConversationKey } from "../call/memory-store.ts";
import { askStore } from "../call/store.ts";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, sha256, weigh } from "../json/json.ts";
import { type Reading, readPath } from "../json/path.ts";
import { type Address, toAddressId } from "../result/address.ts";
import type { ContentBlock } from "../result/content-block.ts";
import type { PluginKit } from "../types/plugin.ts";

const MIB = 1_048_576;
/** The limits of results in memory, in sum. The oldest result is dropped first. */
const RESULTS = { maxBytes: 256 * MIB, maxConversationBytes: 32 * MIB, maxConversationValues: 256 };
/** The limits of names that were once given out. They are small, and results do not displace them. */
const KNOWN = { maxBytes: 64 * MIB, maxConversationBytes: 4 * MIB };
const MAX_ATTEMPTS = 10;
const KNOWN_FOR_MS = 86_400_000;
const MAX_RESULT = { maxBytes: 16 * MIB, maxDepth: 512 };

/** The parts of a result that a model may read, and the tool that gave it. Plain JSON. */
export interface KeptResult {
  readonly tool: string;
  readonly content: readonly ContentBlock[];
  /** The structured content, or the only text parsed as JSON. */
  readonly structured?: unknown;
}

/** The tool that gave a result, and the result itself unless it has expired or was dropped. */
export interface Finding {
  readonly tool: string;
  readonly result: KeptResult | undefined;
}

/** Limits of kept results. Numbers are whole, from 1. */
export interface ReferencesOptions {
  /** The minimum length of a result that is kept, in characters that a model would read. Default 8,000. */
  readonly minLength?: number;
  /** The milliseconds that a result is kept after its last use. Default 1 h. */
  readonly ttlMs?: number;
}

export type KeptResults = ReturnType<typeof createKeptResults>;

/** Keeps long results, which belong to one conversation each, in the application's store or in memory. */
export function createKeptResults(
  { store, now, newId, report }: Pick<PluginKit, "store" | "now" | "newId" | "report">,
  { ttlMs }: Required<ReferencesOptions>,
) {
  const onForget = (conversation: string) =>
    report({ type: "store-full", atMs: now(), conversation });
  const results = store ?? createMemoryStore({ ...RESULTS, now, onForget });
  const known = store ?? createMemoryStore({ ...KNOWN, now });
  const toKeys = (conversation: string, id: string) => ({
    resultKey: toConversationKey(conversation, `kept:${id}`),
    knownKey: toConversationKey(conversation, `known:${id}`),
  });
  const newAddress = async (conversation: string): Promise<string> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const id = toAddressId(await sha256(`${newId()}:${attempt}`));
      // Another result must not be read by this name.
      if ((await askStore(() => known.get(toKeys(conversation, id).knownKey))) == null) return id;
    }
    throw new ToolrailError("callback-failed", "The store of the host has a value for every key.");
  };
  const keepResult = (key: string, result: KeptResult) =>
    askStore(() => results.set(key, { result, untilMs: now() + ttlMs }, ttlMs));
  return {
    /** Keeps a result and returns its id, or `undefined` if it is larger than 16 MiB. Rejects with `callback-failed`. */
    async keep(conversation: string, result: KeptResult): Promise<string | undefined> {
      if (typeof weigh(result, MAX_RESULT) === "string") return undefined;
      const id = await newAddress(conversation);
      const { resultKey, knownKey } = toKeys(conversation, id);
      await askStore(() => known.set(knownKey, result.tool, KNOWN_FOR_MS));
      await keepResult(resultKey, result);
      return id;
    },
    /** Returns the result with that id, and keeps it for longer. Returns `undefined` if this conversation never had it. */
    async find(conversation: string, id: string): Promise<Finding | undefined> {
      const { resultKey, knownKey } = toKeys(conversation, id);
      const tool = await askStore(() => known.get(knownKey));
      if (typeof tool !== "string") return undefined;
      // A store may ignore the time to live.
      const { result: kept, untilMs } = Object(await askStore(() => results.get(resultKey)));
      const result = untilMs > now() ? (kept as KeptResult) : undefined;
      if (result) await keepResult(resultKey, result);
      return { tool, result };
    },
  };
}

/** Reads the value at an address. Without a path it is the structured value, or the text if there is none or `asText`. */
export function readKept(
  { content, structured }: KeptResult,
  { keys, asText }: Pick<Address, "keys"> & { readonly asText: boolean },
): Reading {
  const texts = content.flatMap((block) => readText(block) ?? []);
  const text = texts.length > 0 ? texts.join("\n") : (JSON.stringify(structured) ?? "");
  const parts = { text, ...(structured !== undefined && { structured }), content };
  const isText = structured === undefined || asText;
  return readPath(parts, { keys: keys.length > 0 ? keys : [isText ? "text" : "structured"] });
}

export function readText({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

export function parseStructure(text: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
