import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { nextTool, widgetMeta } from "./meta.ts";
import {
  type Account,
  type BankStore,
  isTransferable,
  MAX_TRANSFER_CENTS,
  type RefusalReason,
  type SettledStatus,
} from "./store.ts";
import { ADDS, type Answer, addTool, formatCents, READS } from "./tool.ts";

const account = (what: string) =>
  z.string().min(1).optional().describe(`${what} Left out: the customer picks one.`);

const input = {
  fromAccountId: account("The id of the account to pay from."),
  toAccountId: account("The id of the account to pay into."),
  amount: z
    .number()
    .min(0.01)
    .max(MAX_TRANSFER_CENTS / 100)
    .optional()
    .describe("The amount in dollars, at most two decimals. Left out: the customer enters one."),
  memo: z.string().max(140).optional().describe("A note kept with the transfer."),
};

const output = {
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
};

export function addTransferTools(server: McpServer, store: BankStore) {
  const prepare = addTool(server, "prepare_money_transfer", {
    title: "Prepare money transfer",
    description:
      "Prepares a transfer between the customer's own accounts. Money moves only after the " +
      "customer has confirmed it in the application.",
    ...{ input, output, annotations: ADDS },
    answer: (args, customerId) => prepareTransfer(args, { store, customerId }),
  });

  const settle = addTool(server, "confirm_or_cancel_transfer", {
    title: "Confirm or cancel transfer",
    description: "Carries out the customer's own decision on a prepared transfer.",
    input: {
      transferId: z.string().min(1).describe("The id from prepare_money_transfer."),
      decision: z.enum(["confirm", "cancel"]).describe("What the customer pressed."),
    },
    output: {
      status: z
        .enum([...Object.keys(SETTLED), "refused"])
        .describe("What happened; the money moved with confirmed, and only then."),
      transferId: z.string().describe("The id that was asked for."),
      reason: z.string().optional().describe("Why not; present with refused."),
    },
    annotations: { ...READS, readOnlyHint: false, destructiveHint: true },
    // This tool is for the application's buttons, since a model must not confirm for the customer.
    isAppOnly: true,
    answer(args, customerId) {
      const { transferId } = args;
      const settled = store.settleTransfer({ ...args, customerId });
      const { status } = settled;
      if (status === "refused") {
        const { reason } = settled;
        const structured = { status, transferId, reason };
        return { text: explainRefusal(reason), readBy: "user", structured, isError: true };
      }
      const isError = status === "unknown_transfer";
      const text = SETTLED[status](settled.amountCents ?? 0);
      return { text, readBy: "user", structured: { status, transferId }, isError };
    },
  });
  return [prepare, settle];
}

type Arguments = z.infer<z.ZodObject<typeof input>>;

interface Books {
  readonly store: BankStore;
  readonly customerId: string;
}

function prepareTransfer(args: Arguments, { store, customerId }: Books): Answer {
  const { fromAccountId, toAccountId, amount, memo = "" } = args;
  const accounts = store.listAccounts(customerId);
  const find = (id: string) => accounts.find(({ accountId }) => accountId === id);
  if (amount === undefined) return askForAmount(args);
  const amountCents = toCents(amount);
  if (!isTransferable(amountCents)) return refused("invalid_amount");

  if (!fromAccountId) return askForAccount("fromAccountId", { args, accounts });
  const from = find(fromAccountId);
  if (!from) return refused("unknown_account");
  if (from.isLocked) return locked(from);

  if (!toAccountId) return askForAccount("toAccountId", { args, accounts });
  const request = { customerId, fromAccountId, toAccountId, amountCents, memo };
  const prepared = store.prepareTransfer(request);
  if (prepared.status === "refused") return refused(prepared.reason);
  const { transferId } = prepared;
  const names = `${from.name} to ${find(toAccountId)?.name}`;
  const summary = `Transfer ${formatCents(amountCents)} from ${names}`;
  const settle = (decision: "confirm" | "cancel") => {
    return { tool: "confirm_or_cancel_transfer", parameters: { transferId, decision } };
  };
  return {
    text: `${summary}${memo && ` (${memo})`}. Please confirm or cancel.`,
    readBy: "user",
    structured: {
      status: "awaiting_confirmation",
      ...{ transferId, fromAccountId, toAccountId, amountCents },
    },
    meta: widgetMeta({
      ...{ type: "confirmation", title: `${summary}?` },
      ...{ on_confirm: settle("confirm"), on_cancel: settle("cancel") },
    }),
  };
}

/** Converts dollars to whole cents. Returns NaN for a fraction of a cent. */
function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  return Math.abs(cents - amount * 100) < 1e-4 ? cents : Number.NaN;
}

function refused(reason: RefusalReason): Answer {
  const structured = { status: "refused", reason };
  return { text: explainRefusal(reason), readBy: "all", structured, isError: true };
}

/** The application shows the field, and calls the tool again with what the customer entered. */
function askForAmount(parameters: Arguments): Answer {
  return {
    text: "Please enter an amount.",
    readBy: "user",
    structured: { status: "needs_input", missing: "amount" },
    meta: widgetMeta({
      type: "number",
      title: "How much would you like to transfer?",
      unit: "USD",
      on_event: { tool: "prepare_money_transfer", parameters, map_input_to: "amount" },
    }),
  };
}

function askForAccount(
  missing: "fromAccountId" | "toAccountId",
  { args, accounts }: { readonly args: Arguments; readonly accounts: readonly Account[] },
): Answer {
  const { fromAccountId, toAccountId } = args;
  const others = accounts.filter(
    ({ accountId }) => ![fromAccountId, toAccountId].includes(accountId),
  );
  return {
    text: "Please choose an account.",
    readBy: "user",
    structured: { status: "needs_input", missing },
    meta: widgetMeta({
      type: "options",
      title: missing === "fromAccountId" ? "Transfer from which account?" : "To which account?",
      options: others.map(({ accountId, name }) => ({ value: accountId, label: name })),
      on_event: { tool: "prepare_money_transfer", parameters: args, map_input_to: missing },
    }),
  };
}

function locked({ name, accountId }: Account): Answer {
  const reason = `Customer attempted to transfer from locked account: ${name} (${accountId})`;
  return {
    text:
      `I'm sorry, but your ${name} account is currently locked. You'll need to ` +
      "speak with a customer service agent before you can transfer money from it.",
    readBy: "user",
    structured: { status: "locked", fromAccountId: accountId },
    meta: nextTool("request_agent_handoff", { reason }),
  };
}

const SETTLED: Readonly<Record<SettledStatus, (amountCents: number) => string>> = {
  confirmed: (amountCents) => `Done: ${formatCents(amountCents)} has been transferred.`,
  already_confirmed: () => "This transfer is already confirmed; nothing was moved again.",
  cancelled: () => "The transfer is cancelled; no money has moved.",
  already_cancelled: () => "This transfer is already cancelled; no money has moved.",
  unknown_transfer: () => "There is no such transfer.",
};

const REASONS: Readonly<Record<RefusalReason, string>> = {
  unknown_account: "one of the accounts does not exist",
  account_locked: "the account to pay from is locked",
  same_account: "both accounts are the same",
  invalid_amount: "the amount must be between $0.01 and $1,000,000, in whole cents",
  insufficient_funds: "the account to pay from does not hold enough",
};

function explainRefusal(reason: RefusalReason): string {
  return `The transfer is not possible: ${REASONS[reason]}.`;
}
