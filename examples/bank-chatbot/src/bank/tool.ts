import type { McpServer, RegisteredTool } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { readCustomerId } from "./meta.ts";

/** A tool of the bank. Nobody may add fields to what it takes, nor to what it answers. */
interface Tool<Input extends z.ZodRawShape> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodRawShape;
  readonly annotations: typeof READS;
  /** True if the application alone calls it, and no model. */
  readonly isAppOnly?: true;
  answer(args: z.infer<z.ZodObject<Input>>, customerId: string): Answer;
}

export interface Answer {
  readonly text: string;
  /** Whether the model reads the text too. */
  readonly readBy: "user" | "all";
  /** Fits the tool's output, in refusals too. */
  readonly structured: Record<string, unknown>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
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

export function addTool<Input extends z.ZodRawShape>(
  server: McpServer,
  name: string,
  tool: Tool<Input>,
): RegisteredTool {
  const { title, description, annotations, isAppOnly, answer } = tool;
  const input = z.strictObject(tool.input);
  const config = {
    ...{ title, description, annotations },
    ...{ inputSchema: input as z.ZodObject, outputSchema: z.strictObject(tool.output) },
    ...(isAppOnly && { _meta: { ui: { visibility: ["app"] } } }),
  };
  return server.registerTool(name, config, (args, { _meta }) => {
    const answered = answer(input.parse(args), readCustomerId(_meta));
    const { text, readBy, structured, meta, isError = false } = answered;
    const audience = readBy === "user" && { annotations: { audience: ["user" as const] } };
    const content = [{ type: "text" as const, text, ...audience }];
    return { content, structuredContent: structured, isError, ...(meta && { _meta: meta }) };
  });
}

/** Cents as dollars, such as "$1,280.50". */
export function formatCents(cents: number): string {
  return formatDollars(cents / 100);
}

/** Dollars, such as "$1,280.50". */
export function formatDollars(amount: number): string {
  return amount.toLocaleString("en-US", { style: "currency", currency: "USD" });
}
