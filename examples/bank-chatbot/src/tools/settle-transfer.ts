import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore, RefusalReason, Settled } from "../bank-store.ts";
import { APP_ONLY, formatCents, forUser, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";

const config = {
  title: "Confirm or cancel transfer",
  description: "Carries out the customer's own decision on a prepared transfer.",
  inputSchema: z.strictObject({
    transferId: z.string().min(1).describe("The id from prepare_money_transfer."),
    decision: z.enum(["confirm", "cancel"]).describe("What the customer pressed."),
  }),
  outputSchema: z.strictObject({
    status: z
      .enum([
        "confirmed",
        "already_confirmed",
        "cancelled",
        "already_cancelled",
        "refused",
        "unknown_transfer",
      ])
      .describe("What happened; the money moved with confirmed, and only then."),
    transferId: z.string().describe("The id that was asked for."),
    reason: z.string().optional().describe("Why not; present with refused."),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  // This tool is for the application's buttons, since a model must not confirm for the customer.
  _meta: APP_ONLY,
};

export function registerConfirmOrCancelTransfer(server: McpServer, store: BankStore) {
  return server.registerTool("confirm_or_cancel_transfer", config, (args, extra) => {
    const { transferId } = args;
    const settled = store.settleTransfer({ ...args, customerId: customerOf(extra) });
    const { status } = settled;
    return toResult({
      content: [forUser(explain(settled))],
      structured: {
        ...{ status, transferId },
        ...(settled.status === "refused" && { reason: settled.reason }),
      },
      isError: status === "refused" || status === "unknown_transfer",
    });
  });
}

function explain(settled: Settled): string {
  switch (settled.status) {
    case "confirmed":
      return `Done: ${formatCents(settled.transfer.amountCents)} has been transferred.`;
    case "already_confirmed":
      return "This transfer is already confirmed; nothing was moved again.";
    case "cancelled":
      return "The transfer is cancelled; no money has moved.";
    case "already_cancelled":
      return "This transfer is already cancelled; no money has moved.";
    case "refused":
      return explainRefusal(settled.reason);
    case "unknown_transfer":
      return "There is no such transfer.";
  }
}

const REASONS: Readonly<Record<RefusalReason, string>> = {
  unknown_account: "one of the accounts does not exist",
  account_locked: "the account to pay from is locked",
  same_account: "both accounts are the same",
  invalid_amount: "the amount must be between $0.01 and $1,000,000, in whole cents",
  insufficient_funds: "the account to pay from does not hold enough",
};

export function explainRefusal(reason: RefusalReason): string {
  return `The transfer is not possible: ${REASONS[reason]}.`;
}
