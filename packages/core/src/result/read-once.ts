import { canonicalJson, isJsonObject } from "../json/json.ts";
import { type ContentBlock, plainBlock } from "./call-tool-result.ts";

/** Shorter texts are repeated, and longer ones are replaced by a pointer. */
const MIN_LENGTH = 40;
/** Longer texts keep their spacing, since the regular expression may overflow on them. */
const MAX_LENGTH = 4_194_304;

/**
 * Adds a structured result to the blocks for a model, so that a model reads nothing twice. It is left out if it, or its only
 * property, equals a block's text, the rest of that text after a heading, or the list of all blocks. A text that is its JSON
 * then loses its spacing. Otherwise it is added as JSON in which pointers replace texts and media of the blocks.
 */
export function readOnce(
  blocks: readonly ContentBlock[],
  { value, content }: { readonly value: unknown; readonly content: readonly ContentBlock[] },
): ContentBlock[] {
  const inner = isJsonObject(value) ? Object.values(value) : [];
  for (const form of inner.length === 1 ? [value, inner[0]] : [value]) {
    let json: string | undefined;
    const toJson = () => (json ??= JSON.stringify(form) ?? "");
    const starts = blocks.map((block) => findStart(block, { value: form, toJson }));
    const at = starts.findIndex((start) => start !== undefined);
    if (at < 0 && !isListOf(form, content)) continue;
    return blocks.map((block, index) => {
      const isJson = index === at && block.type === "text" && typeof form !== "string";
      return isJson && block.text !== toJson() ? withoutSpacing(block, starts[at]) : block;
    });
  }
  const isText = toFinder(blocks.map(readText));
  const isMedia = toFinder(content.map(({ data, resource }) => data ?? resource?.blob));
  const text = JSON.stringify(value, (_key, part) => {
    if (typeof part !== "string" || part.length < MIN_LENGTH) return part;
    return isMedia(part) ? "(media left out)" : isText(part) ? "(the text above)" : part;
  });
  return [...blocks, { type: "text", text }];
}

/** Longer texts are compared one by one, since a set would hash the whole of each. */
const MAX_KEY = 1_000;

function toFinder(texts: readonly (string | undefined)[]): (text: string) => boolean {
  const short = new Set(texts.filter((text = "") => text.length <= MAX_KEY));
  const long = texts.filter((text = "") => text.length > MAX_KEY);
  return (text) => (text.length <= MAX_KEY ? short.has(text) : long.includes(text));
}

function readText({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

interface Form {
  readonly value: unknown;
  readonly toJson: () => string;
}

/** Finds a value, or its JSON in any spacing and key order, in a block's text: at its start or after a heading. */
function findStart(block: ContentBlock, { value, toJson }: Form): number | undefined {
  const text = readText(block);
  if (text === undefined) return undefined;
  if (text === value) return 0;
  // Most texts are no JSON, which is known before the JSON of a long value is made.
  return startsIn(text, firstCharacter(value)).find((start) =>
    isJsonOf(text.slice(start), toJson()),
  );
}

/** Finds where JSON with this first character may start in a text: at once, on a new line, or in the first line. */
function startsIn(text: string, opening = ""): readonly number[] {
  const first = text.search(/\S/);
  const alone = text[first] === opening ? [first] : [];
  const closing = opening === "{" ? "}" : opening === "[" ? "]" : undefined;
  if (closing === undefined || !text.trimEnd().endsWith(closing)) return alone;
  const headed = [text.indexOf(`\n${opening}`) + 1, text.indexOf(opening)];
  return [...alone, ...headed.filter((start) => start > first)];
}

function isJsonOf(text: string, json: string): boolean {
  if (text === json) return true;
  if (text.length < json.length) return false;
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(JSON.parse(json));
  } catch {
    return false;
  }
}

function firstCharacter(value: unknown): string | undefined {
  if (typeof value === "string") return '"';
  if (Array.isArray(value)) return "[";
  return isJsonObject(value) ? "{" : JSON.stringify(value)?.[0];
}

/** Returns true if the items equal the blocks or their texts, one by one. */
function isListOf(value: unknown, content: readonly ContentBlock[]): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length !== content.length) return false;
  const isBlock = (item: unknown, block: ContentBlock) =>
    isJsonObject(item) &&
    canonicalJson(plainBlock(item as never)) === canonicalJson(plainBlock(block));
  return content.every((block, at) => {
    const item: unknown = value[at];
    const toJson = () => JSON.stringify(item) ?? "";
    return findStart(block, { value: item, toJson }) !== undefined || isBlock(item, block);
  });
}

/** Removes the white space between the tokens of a text's JSON from `start`. Digits and the order of keys are unchanged. */
function withoutSpacing({ text = "", ...block }: ContentBlock, start = 0): ContentBlock {
  if (text.length > MAX_LENGTH) return { ...block, text };
  const json = text.slice(start).replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
  return { ...block, text: text.slice(0, start) + json };
}
