import type { CallToolResult, TextContent } from "@modelcontextprotocol/sdk/types.js";

export interface Answer {
  readonly content: readonly TextContent[];
  /** Fits the tool's output schema, in refusals too. */
  readonly structured: Record<string, unknown>;
  readonly meta?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** A result with everything a tool contract asks for: the structured part and an explicit isError. */
export function toResult({ content, structured, meta, isError = false }: Answer): CallToolResult {
  const result = { content: [...content], structuredContent: structured, isError };
  return meta ? { ...result, _meta: meta } : result;
}

/** Text that the user and the model read. */
export function forAll(text: string): TextContent {
  return { type: "text", text };
}

/** Text that the user reads and the model does not. */
export function forUser(text: string): TextContent {
  return { type: "text", text, annotations: { audience: ["user"] } };
}

/** Metadata that names the tool to call next (tool chaining proposal). */
export function nextTool(tool: string, args: Record<string, unknown>): Record<string, unknown> {
  return { nextTool: { tool, arguments: args } };
}

/** Cents as dollars, such as "$1,280.50". */
export function formatCents(cents: number): string {
  return formatDollars(cents / 100);
}

/** Dollars, such as "$1,280.50". */
export function formatDollars(amount: number): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" }).format(amount);
}

/** Hints of a tool that changes nothing. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Hints of a tool that adds something at each call. */
export const ADDS = { ...READS, readOnlyHint: false, idempotentHint: false };

/** Keeps a tool from the model: the application alone calls it. */
export const APP_ONLY = { ui: { visibility: ["app"] } };
