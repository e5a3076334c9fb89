import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type Meta, readCustomerId } from "./meta.ts";
import type { BankStore, Customer } from "./store.ts";

/** Hints of a tool that changes nothing. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Hints of a tool that adds something at each call. */
export const ADDS = { ...READS, readOnlyHint: false, idempotentHint: false };

/** A tool of the bank. Nobody may add fields to what it takes, nor to what it answers. */
interface BankTool<Input extends z.ZodRawShape> {
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodRawShape;
  readonly annotations: typeof READS;
  /** True if the application alone calls it, and no model. */
  readonly isAppOnly?: true;
  answer(args: z.infer<z.ZodObject<Input>>, customer: Customer): CallToolResult;
}

export type AddTool = ReturnType<typeof createAddTool>;

/** Returns how to add a tool to the server. It answers for the customer whom the request names. */
export function createAddTool(server: McpServer, store: BankStore) {
  return <Input extends z.ZodRawShape>(name: string, tool: BankTool<Input>): void => {
    const { input, output, isAppOnly, answer, ...described } = tool;
    const inputSchema: z.ZodObject<Input> = z.strictObject(input);
    const config = {
      ...{ ...described, inputSchema: inputSchema as z.ZodObject },
      outputSchema: z.strictObject(output),
      ...(isAppOnly && { _meta: { ui: { visibility: ["app"] } } }),
    };
    server.registerTool(name, config, (args, { _meta }) =>
      answer(inputSchema.parse(args), store.openFor(readCustomerId(_meta))),
    );
  };
}

/** A text that the user and the model read. The structured part fits the tool's output, in refusals too. */
export function forAll(text: string, structured: object, meta?: Meta): CallToolResult {
  const structuredContent = { ...structured };
  return { content: [{ type: "text", text }], structuredContent, isError: false, _meta: meta };
}

/** A text that the user reads and the model does not. */
export function forUser(text: string, structured: object, meta?: Meta): CallToolResult {
  const annotations = { audience: ["user" as const] };
  return { ...forAll(text, structured, meta), content: [{ type: "text", text, annotations }] };
}

/** Dollars, such as "$1,280.50". */
export function formatDollars(amount: number): string {
  return amount.toLocaleString("en-US", { style: "currency", currency: "USD" });
}
