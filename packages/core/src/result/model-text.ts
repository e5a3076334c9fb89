import type { CallToolResult } from "./call-tool-result.ts";
import { isForModel } from "./model-view.ts";

/** Returns the text of all blocks that models may read. User-only blocks are left out. */
export function modelText({ content }: CallToolResult): string {
  const texts = content.flatMap((block) => {
    return block.type === "text" && block.text !== undefined && isForModel(block) ? block.text : [];
  });
  return texts.join("\n");
}
