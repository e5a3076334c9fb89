import type { ContentBlock } from "@toolrail/core";
import type { Address, KeptResult } from "@toolrail/core/plugin";
import { isJsonObject, type Reading, readPath } from "@toolrail/json";

/**
 * Reads what addresses select from: all texts joined (or else the structured value as JSON), the structured value, the blocks.
 */
export function partsOf({ content, structured }: KeptResult) {
  const texts = content.flatMap((block) => textOf(block) ?? []);
  const text = texts.length > 0 ? texts.join("\n") : (JSON.stringify(structured) ?? "");
  return { text, ...(structured !== undefined && { structured }), content };
}

/** Reads the value at an address. Without a path it is the structured value, or the text if there is none or `asText`. */
export function readKept(
  kept: KeptResult,
  { keys, asText }: Pick<Address, "keys"> & { readonly asText: boolean },
): Reading {
  const isText = kept.structured === undefined || asText;
  const path = keys.length > 0 ? keys : [isText ? "text" : "structured"];
  return readPath(partsOf(kept), { keys: path });
}

export function textOf({ type, text, resource }: ContentBlock): string | undefined {
  return type === "text" ? text : resource?.text;
}

export function parseStructure(text: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
