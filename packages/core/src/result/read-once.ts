import { canonicalJson, isJsonObject } from "../json.ts";
import { type ContentBlock, plainBlock } from "./content-block.ts";

/** Shorter texts are repeated rather than pointed to. */
const MIN_LENGTH = 40;
/** Longer texts keep their spacing: the pattern for it may overflow on a string of more characters. */
const MAX_LENGTH = 4_194_304;

/**
 * Combines blocks for a model with a structured result, so that nothing is read twice. It is left out if it,
 * or its only property, is what a block says, or the list of all blocks; a text that is its JSON then loses its
 * spacing. Otherwise it is added as JSON that points to what the blocks contain: media never become text.
 */
export function readOnce(
  blocks: readonly ContentBlock[],
  { value, content }: { readonly value: unknown; readonly content: readonly ContentBlock[] },
): ContentBlock[] {
  const inner = isJsonObject(value) ? Object.values(value) : [];
  for (const form of inner.length === 1 ? [value, inner[0]] : [value]) {
    const json = JSON.stringify(form) ?? "";
    const said = blocks.find((block) => says(block, { value: form, json }));
    const isJson = said?.type === "text" && typeof form !== "string" && said.text !== json;
    if (isJson) return blocks.map((block) => (block === said ? withoutSpacing(said) : block));
    if (said || isListOf(form, content)) return [...blocks];
  }
  const texts = new Set(blocks.map(textOf));
  const media = new Set(content.map(({ data, resource }) => data ?? resource?.blob));
  const text = JSON.stringify(value, (_key, part) => {
    if (typeof part !== "string" || part.length < MIN_LENGTH) return part;
    return media.has(part) ? "(media left out)" : texts.has(part) ? "(the text above)" : part;
  });
  return [...blocks, { type: "text", text }];
}

function textOf({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

/** True if the block's text is that value, or its JSON in any spacing and key order. */
function says(
  block: ContentBlock,
  { value, json }: { readonly value: unknown; readonly json: string },
): boolean {
  const text = textOf(block);
  if (text === undefined || text === value || text === json) return text !== undefined;
  if (text.length < json.length) return false;
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(JSON.parse(json));
  } catch {
    return false;
  }
}

/** True if the items are the blocks, one by one, or what they say. */
function isListOf(value: unknown, content: readonly ContentBlock[]): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length !== content.length) return false;
  const isBlock = (item: unknown, block: ContentBlock) =>
    isJsonObject(item) &&
    canonicalJson(plainBlock(item as never)) === canonicalJson(plainBlock(block));
  return content.every((block, at) => {
    const item: unknown = value[at];
    return says(block, { value: item, json: JSON.stringify(item) ?? "" }) || isBlock(item, block);
  });
}

/** JSON without white space between tokens. Digits and the order of keys are unchanged. */
function withoutSpacing({ text = "", ...block }: ContentBlock): ContentBlock {
  if (text.length > MAX_LENGTH) return { ...block, text };
  return { ...block, text: text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") };
}
