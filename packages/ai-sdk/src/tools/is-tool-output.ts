import { asRecord } from "./messages.ts";
import type { ToolOutput } from "./tool-output.ts";

/**
 * True for the output of a tool of Toolrail, as it reaches a page: `isToolOutput(part.output) && part.output.isError`. Its
 * parts are `output-available` even where the tool reported an error.
 */
export function isToolOutput(value: unknown): value is ToolOutput {
  const { content, hops, isError } = asRecord(value);
  return Array.isArray(content) && Array.isArray(hops) && typeof isError === "boolean";
}
