import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { isTransferable, MAX_TRANSFER_CENTS } from "../store/transfers.ts";
import { type Answer, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { awaitingConfirmation, locked, needsAccount, refused } from "./transfer-answers.ts";

const account = (what: string) =>
  z.string().min(1).optional().describe(`${what} Left out: the customer picks one.`);

const inputSchema = z.strictObject({
  fromAccountId: account("The id of the account to pay from."),
  toAccountId: account("The id of the account to pay into."),
  amount: z
    .number()
    .min(0.01)
    .max(MAX_TRANSFER_CENTS / 100)
    .describe("The amount in dollars, at most two decimals."),
  memo: z.string().max(140).optional().describe("A note kept with the transfer."),
});

const outputSchema = z.strictObject({
  status: z
    .enum(["needs_input", "locked", "awaiting_confirmation", "refused"])
    .describe("What happened; no money has moved in any case."),
  missing: z
    .enum(["fromAccountId", "toAccountId"])
    .optional()
    .describe("The account the customer is asked for; present with needs_input."),
  reason: z.string().optional().describe("Why not; present with refused."),
  transferId: z.string().optional().describe("Present with awaiting_confirmation."),
  fromAccountId: z.string().optional().describe("The account to pay from, once known."),
  toAccountId: z.string().optional().describe("The account to pay into, once known."),
  amountCents: z.int().optional().describe("The amount; present with awaiting_confirmation."),
});

export function registerPrepareMoneyTransfer(server: McpServer, store: BankStore): void {
  const config = {
    title: "Prepare money transfer",
    description:
      "Prepares a transfer between the customer's own accounts. Money moves only after the " +
      "customer has confirmed it in the application.",
    inputSchema,
    outputSchema,
    annotations: {
      title: "Prepare money transfer",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  };
  server.registerTool("prepare_money_transfer", config, (args, extra) =>
    toResult(prepare(store, customerOf(extra), args)),
  );
}

function prepare(store: BankStore, customerId: string, args: z.infer<typeof inputSchema>): Answer {
  const { fromAccountId, toAccountId, amount, memo = "" } = args;
  const amountCents = toCents(amount);
  if (!isTransferable(amountCents)) return refused("invalid_amount");
  const accounts = store.listAccounts(customerId);
  const others = (id: string | undefined) => accounts.filter((one) => one.accountId !== id);

  if (!fromAccountId) return needsAccount("fromAccountId", others(toAccountId), args);
  const from = accounts.find(({ accountId }) => accountId === fromAccountId);
  if (!from) return refused("unknown_account");
  if (from.isLocked) return locked(from);

  if (!toAccountId) return needsAccount("toAccountId", others(fromAccountId), args);
  const request = { customerId, fromAccountId, toAccountId, amountCents, memo };
  const prepared = store.prepareTransfer(request);
  if (prepared.status === "refused") return refused(prepared.reason);
  const to = accounts.find(({ accountId }) => accountId === toAccountId);
  return awaitingConfirmation(prepared.transfer, from.name, to?.name ?? toAccountId);
}

/** Whole cents; NaN for a fraction of a cent. */
function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  return Math.abs(cents - amount * 100) < 1e-4 ? cents : Number.NaN;
}
