/** The types and the guard with which a page in a browser reads tool outputs, without the host. @module */

import { asRecord } from "./tools/messages.ts";
import type { ToolOutput } from "./tools/tool-output.ts";

export type { ToolOutput, UserContent, UserContentParts } from "./tools/tool-output.ts";

/**
 * Returns true for the output of a tool of Toolrail in a page: `isToolOutput(part.output) && part.output.isError`.
 * Its part is `output-available` even if the tool reported an error.
 */
export function isToolOutput(value: unknown): value is ToolOutput {
  const { content, hops, isError } = asRecord(value);
  return Array.isArray(content) && Array.isArray(hops) && typeof isError === "boolean";
}
