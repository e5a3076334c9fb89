import type { ToolCall } from "../call/call-options.ts";
import type { Limits } from "../call/limits.ts";
import type { PluginKit } from "../call/plugin.ts";
import { askStore, MemoryStore, OpenedStore, toConversationKey } from "../call/store.ts";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure, sha256, weigh } from "../json/json.ts";
import { parsePath, type Reading, readPath } from "../json/path.ts";
import type { ContentBlock } from "../result/call-tool-result.ts";

const MIB = 1_048_576;
/** The limit of results in memory, in sum. The oldest result is dropped first. */
const MAX_MEMORY = 256 * MIB;
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
  const onForget = () => report({ type: "store-full", atMs: now() });
  const results = new OpenedStore(
    store ?? new MemoryStore({ maxBytes: MAX_MEMORY, now, onForget }),
  );
  const find = (key: string) => askStore(() => results.get(key));
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
      const message = "The store of the host has a value for every key.";
      throw new ToolrailError("callback-failed", message);
    },
    /**
     * Reads the value at an address, or says why there is none. Without a path it is the structured value, or the text if there is
     * none or `asText`. Rejects with `callback-failed`.
     */
    async read(
      { id, keys, text: written }: Address,
      { conversation, asText = false }: Place,
    ): Promise<Reading> {
      const result = (await find(toKey(conversation, id))) as KeptResult | undefined;
      if (!result) {
        const message = `${id} is not a kept result of this conversation, or no longer: call its tool again`;
        return { found: false, message };
      }
      const { content, structured } = result;
      const texts = content.flatMap((block) => readText(block) ?? []);
      const text = texts.length > 0 ? texts.join("\n") : (JSON.stringify(structured) ?? "");
      const parts = { text, ...(structured !== undefined && { structured }), content };
      const whole = structured === undefined || asText ? "text" : "structured";
      const reading = readPath(parts, { keys: keys.length > 0 ? keys : [whole] });
      if (reading.found) return reading;
      return { found: false, message: `${written} cannot be read: ${reading.message}` };
    },
  };
}

export function readText({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

const MAX_ADDRESSES = 20;
/** Limits the length of a match, so that no text takes long to search. */
const INSIDE = /\$\{ {0,3}(k\w{5}(?:[.[][^{}\n]{0,240})?) {0,3}\}/g;
const WHOLE = /^\s*\$\{([^{}]*)\}\s*$/;

/** Reads the value at an address, as a text if a text is wanted. */
type Read = (address: Address, asText: boolean) => Promise<unknown>;

/**
 * Replaces the addresses in a model's arguments by their values, each once. Returns `undefined` if there is none. Throws
 * `invalid-arguments` for one that this conversation does not have, and for too many or too large values.
 */
export async function resolveReferences(
  { kept, limits }: { readonly kept: KeptResults; readonly limits: Limits },
  { tool, arguments: written, conversation }: Pick<ToolCall, "tool" | "arguments" | "conversation">,
): Promise<JsonObject | undefined> {
  const { maxArgumentBytes: maxBytes, maxValueDepth: maxDepth } = limits;
  // The check of the arguments refuses those that are too large.
  if (!conversation || measure(written, { maxBytes, maxDepth })) return undefined;
  const refuse = (why: string) =>
    new ToolrailError("invalid-arguments", `${tool.id} was not called: ${why}.`);
  let [count, left] = [0, maxBytes];
  const read: Read = async (address, asText) => {
    count++;
    if (count > MAX_ADDRESSES) {
      const why = `its arguments contain more addresses of kept results than ${MAX_ADDRESSES}`;
      throw refuse(why);
    }
    const reading = await kept.read(address, { conversation, asText });
    if (!reading.found) throw refuse(reading.message);
    const isText = asText && typeof reading.value !== "string";
    const value = isText ? JSON.stringify(reading.value) : reading.value;
    const weight = weigh(value, { maxBytes: left, maxDepth });
    if (typeof weight === "string") {
      const why = `with ${address.text} inserted, its arguments are larger than ${maxBytes} bytes`;
      throw refuse(why);
    }
    left -= weight;
    return value;
  };
  const inserted = await insert(written, { schema: tool.inputSchema, read });
  return count > 0 ? (inserted as JsonObject) : undefined;
}

/** Copies arguments with the values of their addresses, which are not searched again. Measure their depth first. */
async function insert(
  value: unknown,
  { schema, read }: { readonly schema: unknown; readonly read: Read },
): Promise<unknown> {
  const whole = wholeAddress(value);
  if (whole) return read(whole, isTextAlone(schema));
  if (typeof value === "string") return insertInText(value, read);
  const { items, properties, additionalProperties } = Object(schema);
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const item of value) copy.push(await insert(item, { schema: items, read }));
    return copy;
  }
  if (!isJsonObject(value)) return value;
  const members: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    const own = Object.hasOwn(Object(properties), key) ? properties[key] : additionalProperties;
    members.push([key, await insert(inner, { schema: own, read })]);
  }
  return Object.fromEntries(members);
}

async function insertInText(text: string, read: Read): Promise<string> {
  let [copy, end] = ["", 0];
  for (const { 0: written, 1: inner = "", index } of text.matchAll(INSIDE)) {
    const address = parseAddress(inner.trim());
    if (!address) continue;
    copy += text.slice(end, index) + String(await read(address, true));
    end = index + written.length;
  }
  return copy + text.slice(end);
}

/** Reads an address that is a whole value: `${…}`, or `{ "$ref": … }`. */
function wholeAddress(value: unknown): Address | undefined {
  if (typeof value === "string") return WHOLE.test(value) ? readAddress(value) : undefined;
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  return typeof value.$ref === "string" ? readAddress(value.$ref) : undefined;
}

/** Reads a text that is an address and nothing else, in `${…}` or without it. */
export function readAddress(text: string): Address | undefined {
  return parseAddress((WHOLE.exec(text)?.[1] ?? text).trim());
}

function isTextAlone(schema: unknown): boolean {
  const types: unknown[] = [Object(schema).type].flat();
  return types.includes("string") && types.every((type) => type === "string" || type === "null");
}

/** The address of a value in a kept result. */
export interface Address {
  readonly id: string;
  /** The path of the value. Empty for the whole result. */
  readonly keys: readonly string[];
  /** The address as it was written, without the surrounding text. */
  readonly text: string;
}

/** Digits and consonants, so that an id never looks like a word. */
const LETTERS = "0123456789bcdfghjklmnpqrstvwxz";
const BEGINS = new RegExp(`^k[${LETTERS}]{5}(?=$|[.[])`);
/** The most characters of a text that is an address and nothing else. */
const MAX_WHOLE = 300;
const MAX_KEYS = 16;

/** Builds the id of a kept result from a hash in hex. */
export function toAddressId(hash: string): string {
  const digits = [0, 1, 2, 3, 4].map((at) => Number.parseInt(hash.slice(at * 4, at * 4 + 4), 16));
  return `k${digits.map((digit) => LETTERS[digit % LETTERS.length]).join("")}`;
}

/** Parses a text that is an address and nothing else, such as `k4f9b2.structured.rows[0]`. */
export function parseAddress(text: string): Address | undefined {
  const [id] = BEGINS.exec(text) ?? [];
  if (id === undefined || text.length > MAX_WHOLE) return undefined;
  const path = text.slice(id.length).replace(/^\.(?!\.)/, "");
  const keys = path === "" ? [] : parsePath(path);
  return keys.includes("") || keys.length > MAX_KEYS ? undefined : { id, keys, text };
}
