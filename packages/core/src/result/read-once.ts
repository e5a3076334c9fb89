import { canonicalJson, isJsonObject } from "@toolrail/json";
import { type ContentBlock, plainBlock } from "./content-block.ts";

/** Shorter texts are repeated rather than pointed to. */
const MIN_LENGTH = 40;
/** Longer texts keep their spacing: the pattern for it may overflow on a string of more characters. */
const MAX_LENGTH = 4_194_304;

/**
 * Combines blocks for a model with a structured result, so that nothing is read twice. It is left out if it,
 * or its only property, is what a block says, alone or after a heading, or the list of all blocks; a text that is its
 * JSON then loses its spacing. Otherwise it is added as JSON that points to what the blocks contain: media never become text.
 */
export function readOnce(
  blocks: readonly ContentBlock[],
  { value, content }: { readonly value: unknown; readonly content: readonly ContentBlock[] },
): ContentBlock[] {
  const inner = isJsonObject(value) ? Object.values(value) : [];
  for (const form of inner.length === 1 ? [value, inner[0]] : [value]) {
    let json: string | undefined;
    const toJson = () => (json ??= JSON.stringify(form) ?? "");
    const starts = blocks.map((block) => startOf(block, { value: form, toJson }));
    const at = starts.findIndex((start) => start !== undefined);
    if (at < 0 && !isListOf(form, content)) continue;
    return blocks.map((block, index) => {
      const isJson = index === at && block.type === "text" && typeof form !== "string";
      return isJson && block.text !== toJson() ? withoutSpacing(block, starts[at]) : block;
    });
  }
  const isText = toFinder(blocks.map(textOf));
  const isMedia = toFinder(content.map(({ data, resource }) => data ?? resource?.blob));
  const text = JSON.stringify(value, (_key, part) => {
    if (typeof part !== "string" || part.length < MIN_LENGTH) return part;
    return isMedia(part) ? "(media left out)" : isText(part) ? "(the text above)" : part;
  });
  return [...blocks, { type: "text", text }];
}

/** Longer texts are compared one by one: a set would hash the whole of each. */
const MAX_KEY = 1_000;

/** Finds a text among others. */
function toFinder(texts: readonly (string | undefined)[]): (text: string) => boolean {
  const short = new Set(texts.filter((text = "") => text.length <= MAX_KEY));
  const long = texts.filter((text = "") => text.length > MAX_KEY);
  return (text) => (text.length <= MAX_KEY ? short.has(text) : long.includes(text));
}

function textOf({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

interface Form {
  readonly value: unknown;
  readonly toJson: () => string;
}

/** Where in a block's text that value, or its JSON in any spacing and key order, begins: at once, or after a heading. */
function startOf(block: ContentBlock, { value, toJson }: Form): number | undefined {
  const text = textOf(block);
  if (text === undefined) return undefined;
  if (text === value) return 0;
  // Most texts are no JSON: this is seen before the JSON of a long value is made.
  return startsIn(text, openingOf(value)).find((start) => isJsonOf(text.slice(start), toJson()));
}

/** Where in a text the JSON with this first character may begin: at once, on a line of its own, or in the first line. */
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

/** The first character of the JSON of a value. */
function openingOf(value: unknown): string | undefined {
  if (typeof value === "string") return '"';
  if (Array.isArray(value)) return "[";
  return isJsonObject(value) ? "{" : JSON.stringify(value)?.[0];
}

/** True if the items are the blocks, one by one, or what they say. */
function isListOf(value: unknown, content: readonly ContentBlock[]): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length !== content.length) return false;
  const isBlock = (item: unknown, block: ContentBlock) =>
    isJsonObject(item) &&
    canonicalJson(plainBlock(item as never)) === canonicalJson(plainBlock(block));
  return content.every((block, at) => {
    const item: unknown = value[at];
    const toJson = () => JSON.stringify(item) ?? "";
    return startOf(block, { value: item, toJson }) !== undefined || isBlock(item, block);
  });
}

/** A text whose JSON, from `start`, has no white space between tokens. Digits and the order of keys are unchanged. */
function withoutSpacing({ text = "", ...block }: ContentBlock, start = 0): ContentBlock {
  if (text.length > MAX_LENGTH) return { ...block, text };
  const json = text.slice(start).replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
  return { ...block, text: text.slice(0, start) + json };
}
