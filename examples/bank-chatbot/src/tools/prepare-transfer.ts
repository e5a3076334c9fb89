import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import {
  type Account,
  type BankStore,
  isTransferable,
  MAX_TRANSFER_CENTS,
  type RefusalReason,
  type Transfer,
} from "../bank-store.ts";
import { ADDS, type Answer, forAll, formatCents, forUser, nextTool, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { explainRefusal } from "./settle-transfer.ts";
import { widgetMeta } from "./widgets.ts";

const account = (what: string) =>
  z.string().min(1).optional().describe(`${what} Left out: the customer picks one.`);

const inputSchema = z.strictObject({
  fromAccountId: account("The id of the account to pay from."),
  toAccountId: account("The id of the account to pay into."),
  amount: z
    .number()
    .min(0.01)
    .max(MAX_TRANSFER_CENTS / 100)
    .optional()
    .describe("The amount in dollars, at most two decimals. Left out: the customer enters one."),
  memo: z.string().max(140).optional().describe("A note kept with the transfer."),
});

const outputSchema = z.strictObject({
  status: z
    .enum(["needs_input", "locked", "awaiting_confirmation", "refused"])
    .describe("What happened; no money has moved in any case."),
  missing: z
    .enum(["amount", "fromAccountId", "toAccountId"])
    .optional()
    .describe("What the customer is asked for; present with needs_input."),
  reason: z.string().optional().describe("Why not; present with refused."),
  transferId: z.string().optional().describe("Present with awaiting_confirmation."),
  fromAccountId: z.string().optional().describe("The account to pay from, once known."),
  toAccountId: z.string().optional().describe("The account to pay into, once known."),
  amountCents: z.int().optional().describe("The amount; present with awaiting_confirmation."),
});

export function registerPrepareMoneyTransfer(server: McpServer, store: BankStore) {
  const config = {
    title: "Prepare money transfer",
    description:
      "Prepares a transfer between the customer's own accounts. Money moves only after the " +
      "customer has confirmed it in the application.",
    ...{ inputSchema, outputSchema, annotations: ADDS },
  };
  return server.registerTool("prepare_money_transfer", config, (args, extra) => {
    const customerId = customerOf(extra);
    const { fromAccountId, toAccountId, amount, memo = "" } = args;
    const accounts = store.listAccounts(customerId);
    const find = (id: string) => accounts.find(({ accountId }) => accountId === id);
    if (amount === undefined) return askForAmount(args);
    const amountCents = toCents(amount);
    if (!isTransferable(amountCents)) return refused("invalid_amount");

    if (!fromAccountId) return askForAccount("fromAccountId", { args, accounts });
    const from = find(fromAccountId);
    if (!from) return refused("unknown_account");
    if (from.isLocked) return toResult(locked(from));

    if (!toAccountId) return askForAccount("toAccountId", { args, accounts });
    const request = { customerId, fromAccountId, toAccountId, amountCents, memo };
    const prepared = store.prepareTransfer(request);
    if (prepared.status === "refused") return refused(prepared.reason);
    const names = `${from.name} to ${find(toAccountId)?.name}`;
    const summary = `Transfer ${formatCents(amountCents)} from ${names}`;
    return toResult(awaitingConfirmation(prepared.transfer, summary));
  });
}

/** Converts dollars to whole cents. Returns NaN for a fraction of a cent. */
function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  return Math.abs(cents - amount * 100) < 1e-4 ? cents : Number.NaN;
}

function refused(reason: RefusalReason) {
  const content = [forAll(explainRefusal(reason))];
  return toResult({ content, structured: { status: "refused", reason }, isError: true });
}

type Arguments = z.infer<typeof inputSchema>;

/** The application shows the field, and calls the tool again with what the customer entered. */
function askForAmount(parameters: Arguments) {
  return toResult({
    content: [forUser("Please enter an amount.")],
    structured: { status: "needs_input", missing: "amount" },
    meta: widgetMeta({
      type: "number",
      title: "How much would you like to transfer?",
      unit: "USD",
      on_event: { tool: "prepare_money_transfer", parameters, map_input_to: "amount" },
    }),
  });
}

interface Asked {
  readonly args: Arguments;
  readonly accounts: readonly Account[];
}

function askForAccount(missing: "fromAccountId" | "toAccountId", { args, accounts }: Asked) {
  const others = accounts.filter(
    ({ accountId }) => accountId !== args.fromAccountId && accountId !== args.toAccountId,
  );
  const title = missing === "fromAccountId" ? "Transfer from which account?" : "To which account?";
  return toResult({
    content: [forUser("Please choose an account.")],
    structured: { status: "needs_input", missing },
    meta: widgetMeta({
      type: "options",
      title,
      options: others.map(({ accountId, name }) => ({ value: accountId, label: name })),
      on_event: { tool: "prepare_money_transfer", parameters: args, map_input_to: missing },
    }),
  });
}

function locked({ name, accountId }: Account): Answer {
  const text =
    `I'm sorry, but your ${name} account is currently locked. You'll need to ` +
    "speak with a customer service agent before you can transfer money from it.";
  const reason = `Customer attempted to transfer from locked account: ${name} (${accountId})`;
  return {
    content: [forUser(text)],
    structured: { status: "locked", fromAccountId: accountId },
    meta: nextTool("request_agent_handoff", { reason }),
  };
}

function awaitingConfirmation(transfer: Transfer, summary: string): Answer {
  const { transferId, fromAccountId, toAccountId, amountCents, memo } = transfer;
  const settle = (decision: "confirm" | "cancel") => {
    return { tool: "confirm_or_cancel_transfer", parameters: { transferId, decision } };
  };
  return {
    content: [forUser(`${summary}${memo && ` (${memo})`}. Please confirm or cancel.`)],
    structured: {
      status: "awaiting_confirmation",
      ...{ transferId, fromAccountId, toAccountId, amountCents },
    },
    meta: widgetMeta({
      type: "confirmation",
      title: `${summary}?`,
      on_confirm: settle("confirm"),
      on_cancel: settle("cancel"),
    }),
  };
}
