import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { MAX_TRANSFER_CENTS } from "../store/transfers.ts";
import { toResult } from "./answer.ts";
import { widgetMeta } from "./widgets.ts";

const account = (what: string) => z.string().min(1).optional().describe(what);

/** A transfer whose amount the customer enters; everything after that needs no model. */
export function registerBeginTransfer(server: McpServer): void {
  const config = {
    title: "Begin transfer",
    description: "Asks the customer for the amount of a transfer, where they have not named one.",
    inputSchema: z.strictObject({
      fromAccountId: account("The id of the account to pay from, where it is known."),
      toAccountId: account("The id of the account to pay into, where it is known."),
    }),
    outputSchema: z.strictObject({
      status: z.literal("needs_input").describe("The customer is asked; no money has moved."),
      missing: z.literal("amount").describe("What the customer is asked for."),
    }),
    annotations: {
      title: "Begin transfer",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  server.registerTool("begin_transfer", config, (parameters) =>
    toResult({
      structured: { status: "needs_input", missing: "amount" },
      meta: widgetMeta({
        type: "number",
        title: "How much would you like to transfer?",
        unit: "USD",
        min: 0.01,
        max: MAX_TRANSFER_CENTS / 100,
        on_event: { tool: "prepare_money_transfer", parameters, map_input_to: "amount" },
      }),
    }),
  );
}
