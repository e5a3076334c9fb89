import type { CallToolResult } from "./call-tool-result.ts";
import { isForModel } from "./model-view.ts";

/** All text blocks but those for the user alone, since a model may read what is made of it. */
export function modelText({ content }: CallToolResult): string {
  const texts = content.flatMap((block) => {
    return block.type === "text" && block.text !== undefined && isForModel(block) ? block.text : [];
  });
  return texts.join("\n");
}
