import type { CallToolResult } from "./call-tool-result.ts";
import { isForModel } from "./model-view.ts";

/** All text blocks except user-only ones, since a model may read what is made of this text. */
export function modelText({ content }: CallToolResult): string {
  const texts = content.flatMap((block) => {
    return block.type === "text" && block.text !== undefined && isForModel(block) ? block.text : [];
  });
  return texts.join("\n");
}
