/** What a page in a browser needs to read the outputs that it is sent, without the host. @module */

import { asRecord } from "./tools/messages.ts";
import type { ToolOutput } from "./tools/tool-output.ts";

export type { ToolOutput } from "./tools/tool-output.ts";
export type { UserContent, UserContentParts } from "./tools/user-content.ts";

/**
 * True for the output of a tool of Toolrail, as it reaches a page: `isToolOutput(part.output) && part.output.isError`. Its
 * parts are `output-available` even where the tool reported an error.
 */
export function isToolOutput(value: unknown): value is ToolOutput {
  const { content, hops, isError } = asRecord(value);
  return Array.isArray(content) && Array.isArray(hops) && typeof isError === "boolean";
}
