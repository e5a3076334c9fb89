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
  blocks: readonly ContentBlock[],
  { value, content }: { readonly value: unknown; readonly content: readonly ContentBlock[] },
): ContentBlock[] {
  const inner = isJsonObject(value) ? Object.values(value) : [];
  const texts = blocks.map(readText);
  const isRepeated = (form: unknown) =>
    texts.some((text) => repeats(text, form)) ||
    (Array.isArray(form) &&
      form.length === texts.length &&
      form.length > 0 &&
      form.every((item, at) => repeats(texts[at], item) || isSame(item, content[at])));
  if (isRepeated(value) || (inner.length === 1 && isRepeated(inner[0])))
    return blocks.map((block) => withoutSpacing(block, [value, ...inner]));
  const media = content.map(({ data, resource }) => data ?? resource?.blob);
  const text = JSON.stringify(value, (_key, part) => {
    if (typeof part !== "string" || part.length < MIN_LENGTH) return part;
    return media.includes(part) ? "(media left out)" : texts.includes(part) ? SHOWN : part;
  });
  return [...blocks, { type: "text", text }];
}

const SHOWN = "(the text above)";

function readText({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

/** Longer texts keep their spacing, since the regular expression may overflow on them. */
const MAX_LENGTH = 4_194_304;

/** Removes the white space between the tokens of a text that is the JSON of a value. Digits and the order of keys are unchanged. */
function withoutSpacing(block: ContentBlock, values: readonly unknown[]): ContentBlock {
  const { type, text = "" } = block;
  const isJson = values.some((value) => value !== text && repeats(text, value));
  if (type !== "text" || !isJson || text.length > MAX_LENGTH) return block;
  return { ...block, text: text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") };
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other);

/** Returns true if a text is a value, or its JSON in any spacing and order of keys. */
function repeats(text: string | undefined, value: unknown): boolean {
  if (text === undefined || text === value) return text !== undefined;
  const json = JSON.stringify(value) ?? "";
  if (text.length < json.length || text.trimStart()[0] !== json[0]) return text === json;
  try {
    return isSame(JSON.parse(text), JSON.parse(json));
  } catch {
    return false;
  }
}
