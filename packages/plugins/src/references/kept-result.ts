import type { ContentBlock } from "@toolrail/core";
import type { Address, KeptResult } from "@toolrail/core/plugin";
import { isJsonObject, type Reading, readPath } from "@toolrail/json";

/** What addresses read: all texts joined, or the structured value as JSON if there are none; that value; the blocks. */
export function partsOf({ content, structured }: KeptResult) {
  const texts = content.flatMap((block) => textOf(block) ?? []);
  const text = texts.length > 0 ? texts.join("\n") : (JSON.stringify(structured) ?? "");
  return { text, ...(structured !== undefined && { structured }), content };
}

/** The value at an address; without a path, the structured value, or the text if there is none or a text is wanted. */
export function readKept(
  kept: KeptResult,
  { keys, asText }: Pick<Address, "keys"> & { readonly asText: boolean },
): Reading {
  const isText = kept.structured === undefined || asText;
  const path = keys.length > 0 ? keys : [isText ? "text" : "structured"];
  return readPath(partsOf(kept), { keys: path });
}

/** The text of a block, or of the resource in it. */
export function textOf({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

/** The list or object that a text contains as JSON. */
export function parseStructure(text: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
