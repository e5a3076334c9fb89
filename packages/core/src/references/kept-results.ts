import type { PluginKit } from "../call/plugin.ts";
import { askStore, createMemoryStore, toConversationKey } from "../call/store.ts";
import { ToolrailError } from "../errors.ts";
import { sha256 } from "../json/json.ts";
import { type Reading, readPath } from "../json/path.ts";
import { type Address, toAddressId } from "../result/address.ts";
import type { ContentBlock } from "../result/call-tool-result.ts";

const MIB = 1_048_576;
/** The limits of results in memory, in sum. The oldest result is dropped first. */
const MEMORY = { maxBytes: 256 * MIB, maxConversationBytes: 32 * MIB, maxConversationValues: 256 };
const MAX_ATTEMPTS = 10;

/** The parts of a result that a model may read. Plain JSON. */
export interface KeptResult {
  readonly content: readonly ContentBlock[];
  /** The structured content, or the only text parsed as JSON. */
  readonly structured?: unknown;
}

interface Place {
  readonly conversation: string;
  /** True if a text is wanted, so that an address without a path is that of the text. */
  readonly asText?: boolean;
}

export type KeptResults = ReturnType<typeof createKeptResults>;

/** Keeps long results, which belong to one conversation each, in the application's store or in memory. */
export function createKeptResults(
  { store, now, newId, report }: Pick<PluginKit, "store" | "now" | "newId" | "report">,
  ttlMs: number,
) {
  const onForget = (conversation: string) =>
    report({ type: "store-full", atMs: now(), conversation });
  const results = store ?? createMemoryStore({ ...MEMORY, now, onForget });
  const find = async (key: string) => (await askStore(() => results.get(key))) ?? undefined;
  const toKey = (conversation: string, id: string) => toConversationKey(conversation, `kept:${id}`);
  return {
    /** Keeps a result and returns its id. Rejects with `callback-failed`. */
    async keep(conversation: string, result: KeptResult): Promise<string> {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const id = toAddressId(sha256(`${newId()}:${attempt}`));
        const key = toKey(conversation, id);
        if ((await find(key)) !== undefined) continue; // Another result must not be read by this id.
        await askStore(() => results.set(key, result, ttlMs));
        return id;
      }
      throw new ToolrailError(
        "callback-failed",
        "The store of the host has a value for every key.",
      );
    },
    /** Reads the value at an address, or says why there is none. Rejects with `callback-failed`. */
    async read(
      { id, keys, text }: Address,
      { conversation, asText = false }: Place,
    ): Promise<Reading> {
      const result = (await find(toKey(conversation, id))) as KeptResult | undefined;
      if (!result) {
        const message = `${id} is not a kept result of this conversation, or no longer: call its tool again`;
        return { found: false, message };
      }
      const reading = readKept(result, { keys, asText });
      if (reading.found) return reading;
      return { found: false, message: `${text} cannot be read: ${reading.message}` };
    },
  };
}

/** Reads the value at a path. Without one it is the structured value, or the text if there is none or `asText`. */
function readKept(
  { content, structured }: KeptResult,
  { keys, asText }: { readonly keys: readonly string[]; readonly asText: boolean },
): Reading {
  const texts = content.flatMap((block) => readText(block) ?? []);
  const text = texts.length > 0 ? texts.join("\n") : (JSON.stringify(structured) ?? "");
  const parts = { text, ...(structured !== undefined && { structured }), content };
  const whole = structured === undefined || asText ? "text" : "structured";
  return readPath(parts, { keys: keys.length > 0 ? keys : [whole] });
}

export function readText({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}
