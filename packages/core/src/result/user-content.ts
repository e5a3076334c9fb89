import { isJsonObject, type JsonObject } from "../json/json.ts";
import type { CallToolResult } from "./call-tool-result.ts";
import { type ContentBlock, isForModel, isForUserAlone } from "./content-block.ts";
import type { Hop } from "./hop.ts";

/** Shorter values occur in a text by chance. */
const MIN_INSIDE = 3;
/** A lower-case word identifies nothing. */
const PLAIN_WORD = /^\p{Ll}+$/u;
/** A key that is the name of a property, and not a value. */
const NAME = /^[A-Za-z_$-]+$/;
/** The most characters that are searched. After that, arguments count as user-only content. */
const MAX_SEARCHED = 50_000_000;
/** The characters that one comparison counts for. */
const COST = 50;

/**
 * Returns true if the arguments of a call that a result asks for contain content for the user alone: a value from that
 * content, or a longer text with such a value, which no model has read elsewhere.
 */
export function holdsUserContent(
  args: JsonObject,
  { result, arguments: given, origin }: Pick<Hop, "result" | "arguments" | "origin">,
): boolean {
  const isHidden = origin.forUserAlone === true;
  const hidden = [...hiddenValues(result), ...(isHidden ? listLeaves(given) : [])].filter(Boolean);
  if (hidden.length === 0) return false;
  const known = new Set([...visibleValues(result), ...(isHidden ? [] : listLeaves(given))]);
  const whole = new Set(hidden);
  const text = hidden.join("\n");
  const shown = [...known].join("\n");
  let left = MAX_SEARCHED;
  /** Returns true if a text contains a value as whole words. The answer counts only as long as characters are left. */
  const contains = (within: string, value: string): boolean => {
    left -= within.length + COST;
    for (let at = within.indexOf(value); at >= 0; at = within.indexOf(value, at + 1)) {
      const end = at + value.length;
      const begins = !isWord(within.charAt(at - 1)) || !isWord(value.charAt(0));
      if (begins && (!isWord(within.charAt(end)) || !isWord(value.slice(-1)))) return true;
      left -= COST;
      if (left < 0) return true;
    }
    return false;
  };
  for (const raw of Object.values(args).flatMap(listLeaves)) {
    const value = raw.trim();
    if (value === "" || known.has(value)) continue;
    const isShown = contains(shown, value);
    if (left < 0) return true;
    if (isShown) continue;
    if (whole.has(value)) return true;
    const isDistinctive = value.length >= MIN_INSIDE && !PLAIN_WORD.test(value);
    if (isDistinctive && contains(text, value)) return true;
    const isPart = (one: string) =>
      contains(value, one) && one.length > MIN_INSIDE && !PLAIN_WORD.test(one);
    if (hidden.some((one) => left < 0 || (isPart(one) && !contains(shown, one)))) return true;
  }
  return left < 0;
}

function isWord(char: string): boolean {
  return /[\p{L}\p{N}_]/u.test(char);
}

/** Returns the texts and values of a result that no model may read. */
function hiddenValues(result: CallToolResult): string[] {
  const values = readBlocks(result.content.filter((block) => !isForModel(block)));
  return isForUserAlone(result) ? [...values, ...listLeaves(result.structuredContent)] : values;
}

function visibleValues(result: CallToolResult): string[] {
  const values = readBlocks(result.content.filter(isForModel));
  return isForUserAlone(result) ? values : [...values, ...listLeaves(result.structuredContent)];
}

/** Returns all that blocks contain: their texts, data, addresses and names. */
function readBlocks(blocks: readonly ContentBlock[]): string[] {
  const values = blocks.flatMap(({ text, data, uri, name, description, resource }) => {
    return listLeaves([
      text,
      data,
      uri,
      name,
      description,
      resource?.uri,
      resource?.text,
      resource?.blob,
    ]);
  });
  return values.map((value) => value.trim());
}

/** Returns all texts and numbers in a value, and the keys that are more than names. The depth must have been measured. */
function listLeaves(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(listLeaves);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    return NAME.test(key) ? listLeaves(inner) : [key, ...listLeaves(inner)];
  });
}
