import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import type { Settled } from "../store/transfers.ts";
import { formatCents, forUser, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { explainRefusal } from "./transfer-answers.ts";

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
    title: "Confirm or cancel transfer",
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  // For the application's buttons: a model must not confirm for the customer.
  _meta: { ui: { visibility: ["app"] } },
};

export function registerConfirmOrCancelTransfer(server: McpServer, store: BankStore): void {
  server.registerTool("confirm_or_cancel_transfer", config, (args, extra) => {
    const { transferId, decision } = args;
    const settle = decision === "confirm" ? store.confirmTransfer : store.cancelTransfer;
    const settled = settle(customerOf(extra), transferId);
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
