import { type Reading, readPath } from "../path.ts";
import type { ContentBlock } from "../result/content-block.ts";
import type { KeptFrom } from "../result/used-reference.ts";
import type { Address } from "./address.ts";

/** What a model may read of a result, as it is kept. Plain JSON. */
export interface KeptResult extends KeptFrom {
  readonly content: readonly ContentBlock[];
  readonly structured?: unknown;
}

/** What an address reads: the texts in one, or the structured value as JSON where there are none; that value; the blocks. */
export interface KeptParts {
  readonly text: string;
  /** Where the server sent none: what the text is as JSON. */
  readonly structured?: unknown;
  readonly content: readonly ContentBlock[];
}

/** The parts of a kept result. JSON in a text is parsed only now: it takes less room as a text. */
export function partsOf({ content, structured }: KeptResult): KeptParts {
  const texts = content.flatMap((block) => textOf(block) ?? []);
  const isJson = texts.length === 0 && structured !== undefined;
  const text = isJson ? JSON.stringify(structured) : texts.join("\n");
  const value = structured === undefined ? parseStructure(text) : structured;
  return { text, ...(value !== undefined && { structured: value }), content };
}

/** What stands at an address; without a path the structured value, or the text where there is none or one is wanted. */
export function readKept(
  kept: KeptResult,
  { keys, asText }: Pick<Address, "keys"> & { readonly asText: boolean },
): Reading {
  const parts = partsOf(kept);
  if (keys.length > 0) return readPath(parts, { keys });
  const { text, structured } = parts;
  const isText = structured === undefined || asText;
  return { found: true, value: isText ? text : structured };
}

/** The text of a block, or of the resource in it. */
export function textOf({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

/** The list or object that a text is as JSON. */
export function parseStructure(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
