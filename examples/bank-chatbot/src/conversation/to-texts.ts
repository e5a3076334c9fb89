import type { ContentBlock } from "@toolrail/core";

/** Blocks as lines of text; what is no text is named. */
export function toTexts(content: readonly ContentBlock[]): string[] {
  return content.map((block) => block.text ?? `[${block.type}]`);
}
