import { canonicalJson, isJsonObject } from "../json/json.ts";
import type { ContentBlock } from "./call-tool-result.ts";

/** Shorter texts are repeated, and longer ones are replaced by a pointer. */
const MIN_LENGTH = 40;

/**
 * Adds a structured result to the blocks for a model, so that a model reads nothing twice. It is left out if it, or its only
 * property, equals the text of a block, or item by item all blocks or their texts. Otherwise it is added as JSON in which pointers
 * replace texts and media of the blocks.
 */
export function readOnce(
  blocks: ContentBlock[],
  { value, content }: { readonly value: unknown; readonly content: readonly ContentBlock[] },
): ContentBlock[] {
  const inner = isJsonObject(value) ? Object.values(value) : [];
  const forms = inner.length === 1 ? [value, inner[0]] : [value];
  const texts = blocks.map(readText);
  // Most servers send the text itself, or the JSON of the value: nothing is parsed to find that out.
  if (forms.some((form) => typeof form === "string" && texts.includes(form))) return blocks;
  for (const form of forms) {
    const json = JSON.stringify(form) ?? "";
    if (texts.includes(json)) return blocks;
    const at = texts.findIndex((text) => says(text, form, json));
    if (at < 0 && !isListOf(form, { texts, content })) continue;
    return typeof form === "string"
      ? blocks
      : blocks.map((block, index) => (index === at ? withoutSpacing(block) : block));
  }
  const isText = toFinder(texts);
  const isMedia = toFinder(content.map(({ data, resource }) => data ?? resource?.blob));
  const text = JSON.stringify(value, (_key, part) => {
    if (typeof part !== "string" || part.length < MIN_LENGTH) return part;
    return isMedia(part) ? "(media left out)" : isText(part) ? "(the text above)" : part;
  });
  return [...blocks, { type: "text", text }];
}

/** Longer texts are compared one by one, since a set would hash the whole of each. */
const MAX_KEY = 1_000;

/** Finds a text among those of thousands of blocks. */
function toFinder(texts: readonly (string | undefined)[]): (text: string) => boolean {
  const short = new Set(texts.filter((text = "") => text.length <= MAX_KEY));
  const long = texts.filter((text = "") => text.length > MAX_KEY);
  return (text) => (text.length <= MAX_KEY ? short.has(text) : long.includes(text));
}

function readText({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

/** Returns true if a text is a value, or its JSON in any spacing and order of keys. */
function says(
  text: string | undefined,
  value: unknown,
  json = JSON.stringify(value) ?? "",
): boolean {
  if (text === undefined) return false;
  if (text === value || text === json) return true;
  if (text.length < json.length || text.trimStart()[0] !== json[0]) return false;
  try {
    const parsed: unknown = JSON.parse(text);
    return JSON.stringify(parsed) === json || isSame(parsed, value);
  } catch {
    return false;
  }
}

/** Returns true if the items of a list are the blocks, or what their texts say, one by one. */
function isListOf(
  value: unknown,
  {
    texts,
    content,
  }: {
    readonly texts: readonly (string | undefined)[];
    readonly content: readonly ContentBlock[];
  },
): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length !== texts.length) return false;
  return value.every((item, at) => says(texts[at], item) || isSame(item, content[at]));
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

/** Longer texts keep their spacing, since the regular expression may overflow on them. */
const MAX_LENGTH = 4_194_304;

/** Removes the white space between the tokens of a text that is JSON. Digits and the order of keys are unchanged. */
function withoutSpacing(block: ContentBlock): ContentBlock {
  const { type, text = "" } = block;
  if (type !== "text" || text.length > MAX_LENGTH) return block;
  return { ...block, text: text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") };
}
