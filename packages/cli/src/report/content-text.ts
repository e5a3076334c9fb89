import type { ContentBlock } from "@toolrail/core";
import { toModelParts } from "@toolrail/core/adapter";
import { plainText } from "../terminal/plain-text.ts";

/** A content block as text for a terminal; media are named and measured. */
export function contentText(block: ContentBlock): string {
  const texts = toModelParts([block]).map((part) => {
    if (part.type === "text") return part.text;
    const { type, mimeType, data } = part;
    return `[${type}, ${mimeType}, ${((data.length * 3) / 4_000).toFixed(1)} kB]`;
  });
  return plainText(texts.join("\n"));
}
