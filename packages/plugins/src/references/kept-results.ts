import type { ContentBlock } from "@toolrail/core";
import {
  type Address,
  askStore,
  createMemoryStore,
  type Finding,
  type HostKit,
  type KeptResult,
  toAddressId,
  toConversationKey,
} from "@toolrail/core/plugin";
import { isJsonObject, type Reading, readPath, sha256, weigh } from "@toolrail/json";
import { findIds } from "./address.ts";

const MIB = 1_048_576;
/** The limits of results in memory. The least recently used result is removed first. */
const RESULTS = { maxBytes: 256 * MIB, maxConversationBytes: 32 * MIB, maxConversationValues: 256 };
/** The limits of ids that were once stored. They are small, and results do not displace them. */
const KNOWN = { maxBytes: 64 * MIB, maxConversationBytes: 4 * MIB };
const KNOWN_FOR_MS = 86_400_000;
const MAX_RESULT = { maxBytes: 16 * MIB, maxDepth: 512 };

/** Limits of stored results. Numbers are whole, from 1. */
export interface ReferencesOptions {
  /** The minimum length of a result that is stored, in characters that a model would read. Default 8,000. */
  readonly minLength?: number;
  /** The milliseconds that a result is stored after its last use. Default 1 h. */
  readonly ttlMs?: number;
}

/** Creates a store of long results, which belong to one conversation each, in the application's store or in memory. */
export function createKeptResults(
  {
    ownStore,
    now,
    newId,
    forget: onForget,
  }: Pick<HostKit, "ownStore" | "now" | "newId" | "forget">,
  { minLength, ttlMs }: Required<ReferencesOptions>,
) {
  const results = ownStore ?? createMemoryStore({ ...RESULTS, now, onForget });
  const known = ownStore ?? createMemoryStore({ ...KNOWN, now });
  const setResult = (key: string, result: KeptResult) =>
    askStore(() => results.set(key, { result, untilMs: now() + ttlMs }, ttlMs));
  const toKeys = (conversation: string, id: string) => ({
    resultKey: toConversationKey(conversation, `kept:${id}`),
    knownKey: toConversationKey(conversation, `known:${id}`),
  });
  const newAddress = async (conversation: string): Promise<string> => {
    for (let attempt = 0; ; attempt++) {
      const id = toAddressId(await sha256(`${newId()}:${attempt}`));
      const { knownKey } = toKeys(conversation, id);
      if ((await askStore(() => known.get(knownKey))) === undefined) return id;
    }
  };
  return {
    minLength,
    idsIn: findIds,
    partsOf,
    /** Stores a result and returns its id, or `undefined` if it is larger than 16 MiB. Rejects with `callback-failed`. */
    async keep(conversation: string, result: KeptResult): Promise<string | undefined> {
      if (typeof weigh(result, MAX_RESULT) === "string") return undefined;
      const id = await newAddress(conversation);
      const { resultKey, knownKey } = toKeys(conversation, id);
      const tool = result.server === "" ? result.tool : `${result.server}.${result.tool}`;
      await askStore(() => known.set(knownKey, tool, KNOWN_FOR_MS));
      await setResult(resultKey, result);
      return id;
    },
    async find(conversation: string, id: string): Promise<Finding | undefined> {
      const { resultKey, knownKey } = toKeys(conversation, id);
      const tool = await askStore(() => known.get(knownKey));
      if (typeof tool !== "string") return undefined;
      const { result: kept, untilMs } = Object(await askStore(() => results.get(resultKey)));
      const result = untilMs > now() ? (kept as KeptResult) : undefined;
      if (result) await setResult(resultKey, result);
      return { tool, result };
    },
  };
}

/**
 * Reads what addresses select from: all texts joined (or else the structured value as JSON), the structured value, the blocks.
 */
function partsOf({ content, structured }: KeptResult) {
  const texts = content.flatMap((block) => readText(block) ?? []);
  const text = texts.length > 0 ? texts.join("\n") : (JSON.stringify(structured) ?? "");
  return { text, ...(structured !== undefined && { structured }), content };
}

/** Reads the value at an address. Without a path it is the structured value, or the text if there is none or `asText`. */
export function readKept(
  kept: KeptResult,
  { keys, asText }: Pick<Address, "keys"> & { readonly asText: boolean },
): Reading {
  const isText = kept.structured === undefined || asText;
  const path = keys.length > 0 ? keys : [isText ? "text" : "structured"];
  return readPath(partsOf(kept), { keys: path });
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
