import type { ContentBlock } from "@toolrail/core";

/** Converts blocks to lines of text. Other blocks are named. */
export function toTexts(content: readonly ContentBlock[]): string[] {
  return content.map((block) => block.text ?? `[${block.type}]`);
}
