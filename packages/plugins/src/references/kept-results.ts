import type { Store } from "@toolrail/core";
import {
  askStore,
  createMemoryStore,
  type Finding,
  type KeptResult,
  type KeptResults,
  toAddressId,
  toConversationKey,
} from "@toolrail/core/plugin";
import { sha256, weigh } from "@toolrail/json";
import { findIds } from "./address.ts";
import { partsOf } from "./kept-result.ts";

const MIB = 1_048_576;
/** The limits of results in memory. The least recently used result is removed first. */
const RESULTS = { maxBytes: 256 * MIB, maxConversationBytes: 32 * MIB, maxConversationValues: 256 };
/** The limits of ids that were once stored. They are small, and results do not displace them. */
const KNOWN = { maxBytes: 64 * MIB, maxConversationBytes: 4 * MIB };
const KNOWN_FOR_MS = 86_400_000;
const MAX_RESULT = { maxBytes: 16 * MIB, maxDepth: 512 };

export interface KeepingResults extends KeptResults {
  /** Stores a result and returns its id, or `undefined` if it is larger than 16 MiB. Rejects with `callback-failed`. */
  keep(conversation: string, result: KeptResult): Promise<string | undefined>;
}

interface KeepSurroundings {
  /** The minimum length of a stored result, in characters that a model would read. */
  readonly minLength: number;
  /** The milliseconds that a result is stored after its last use. */
  readonly ttlMs: number;
  readonly store: Store | undefined;
  now(): number;
  newId(): string;
  onForget(conversation: string): void;
}

/** Creates a store of long results, which belong to one conversation each, in the application's store or in memory. */
export function createKeptResults({
  minLength,
  ttlMs,
  store,
  now,
  newId,
  onForget,
}: KeepSurroundings): KeepingResults {
  const results = store ?? createMemoryStore({ ...RESULTS, now, onForget });
  const known = store ?? createMemoryStore({ ...KNOWN, now });
  const keyOf = (conversation: string, id: string) => toConversationKey(conversation, `kept:${id}`);
  const knownKeyOf = (conversation: string, id: string) =>
    toConversationKey(conversation, `known:${id}`);
  const setResult = (key: string, result: KeptResult) =>
    askStore(() => results.set(key, { result, untilMs: now() + ttlMs }, ttlMs));
  const newAddress = async (conversation: string): Promise<string> => {
    for (let attempt = 0; ; attempt++) {
      const id = toAddressId(await sha256(`${newId()}:${attempt}`));
      if ((await askStore(() => known.get(knownKeyOf(conversation, id)))) === undefined) return id;
    }
  };
  return {
    minLength,
    idsIn: findIds,
    partsOf,
    async keep(conversation: string, result: KeptResult): Promise<string | undefined> {
      if (typeof weigh(result, MAX_RESULT) === "string") return undefined;
      const id = await newAddress(conversation);
      const tool = result.server === "" ? result.tool : `${result.server}.${result.tool}`;
      await askStore(() => known.set(knownKeyOf(conversation, id), tool, KNOWN_FOR_MS));
      await setResult(keyOf(conversation, id), result);
      return id;
    },
    async find(conversation: string, id: string): Promise<Finding | undefined> {
      const tool = await askStore(() => known.get(knownKeyOf(conversation, id)));
      if (typeof tool !== "string") return undefined;
      const key = keyOf(conversation, id);
      const kept = (await askStore(() => results.get(key))) as
        | { readonly result: KeptResult; readonly untilMs: number }
        | undefined;
      const result = kept && kept.untilMs > now() ? kept.result : undefined;
      if (result) await setResult(key, result);
      return { tool, result };
    },
  };
}
