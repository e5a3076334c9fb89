import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { nextTool, widgetMeta } from "./meta.ts";
import { type Account, type Customer, isTransferable, MAX_TRANSFER_CENTS } from "./store.ts";
import { ADDS, type AddTool, forAll, formatDollars, forUser, READS } from "./tool.ts";

const accountId = z.string().min(1).optional();
const text = z.string().optional();
const PICKED = "Left out: the customer picks one.";

const input = {
  fromAccountId: accountId.describe(`The id of the account to pay from. ${PICKED}`),
  toAccountId: accountId.describe(`The id of the account to pay into. ${PICKED}`),
  amount: z
    .number()
    .min(0.01)
    .max(MAX_TRANSFER_CENTS / 100)
    .optional()
    .describe("The amount in dollars, at most two decimals. Left out: the customer enters one."),
};
type Arguments = z.infer<z.ZodObject<typeof input>>;

const missingField = z.enum(["amount", "fromAccountId", "toAccountId"]);
const output = {
  status: z
    .enum(["needs_input", "locked", "awaiting_confirmation", "refused"])
    .describe("What happened; no money has moved in any case."),
  missing: missingField
    .optional()
    .describe("What the customer is asked for; present with needs_input."),
  reason: text.describe("Why not; present with refused."),
  transferId: text.describe("Present with awaiting_confirmation."),
  fromAccountId: text.describe("The account to pay from, once known."),
  toAccountId: text.describe("The account to pay into, once known."),
  amountCents: z.int().optional().describe("The amount; present with awaiting_confirmation."),
};

export function addTransferTools(addTool: AddTool) {
  addTool("prepare_money_transfer", {
    title: "Prepare money transfer",
    description:
      "Prepares a transfer between the customer's own accounts. Money moves only after the " +
      "customer has confirmed it in the application.",
    ...{ input, output, annotations: ADDS, answer: prepareTransfer },
  });
  addTool("confirm_or_cancel_transfer", {
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
      reason: text.describe("Why not; present with refused."),
    },
    // This tool is for the application's buttons, since a model must not confirm for the customer.
    isAppOnly: true,
    annotations: { ...READS, readOnlyHint: false, destructiveHint: true },
    answer({ transferId, decision }, customer) {
      const settled = customer.settleTransfer(transferId, decision);
      if (settled.status === "refused") {
        const { status, reason } = settled;
        return { ...forUser(explain(reason), { status, reason, transferId }), isError: true };
      }
      const { status, amountCents = 0 } = settled;
      const isError = status === "unknown_transfer";
      return { ...forUser(SETTLED[status](amountCents), { status, transferId }), isError };
    },
  });
}

function prepareTransfer(args: Arguments, customer: Customer): CallToolResult {
  const { fromAccountId, toAccountId, amount } = args;
  if (amount === undefined) return askFor("amount", args, customer);
  const amountCents = toCents(amount);
  if (!isTransferable(amountCents)) return refuse("invalid_amount");

  if (!fromAccountId) return askFor("fromAccountId", args, customer);
  const account = customer.findAccount(fromAccountId);
  if (!account) return refuse("unknown_account");
  if (account.isLocked) return explainLock(account);

  if (!toAccountId) return askFor("toAccountId", args, customer);
  const prepared = customer.prepareTransfer({ fromAccountId, toAccountId, amountCents });
  if (prepared.status === "refused") return refuse(prepared.reason);
  const { transferId, from, to } = prepared;
  const summary = `Transfer ${formatDollars(amount)} from ${from.name} to ${to.name}`;
  const settle = (decision: "confirm" | "cancel") => {
    return { tool: "confirm_or_cancel_transfer", arguments: { transferId, decision } };
  };
  return forUser(
    `${summary}. Please confirm or cancel.`,
    { status: "awaiting_confirmation", transferId, fromAccountId, toAccountId, amountCents },
    widgetMeta({
      ...{ kind: "confirmation", title: `${summary}?` },
      choices: [
        { label: "Confirm", call: settle("confirm") },
        { label: "Cancel", call: settle("cancel") },
      ],
    }),
  );
}

/** Converts dollars to whole cents. Returns NaN for a fraction of a cent. */
function toCents(amount: number): number {
  const cents = Math.round(amount * 100);
  return Math.abs(cents - amount * 100) < 1e-4 ? cents : Number.NaN;
}

function refuse(reason: keyof typeof REASONS): CallToolResult {
  return { ...forAll(explain(reason), { status: "refused", reason }), isError: true };
}

/** The application shows the form, and calls the tool again with what the customer answers. */
function askFor(
  missing: z.infer<typeof missingField>,
  args: Arguments,
  customer: Customer,
): CallToolResult {
  const tool = "prepare_money_transfer";
  const structured = { status: "needs_input", missing };
  if (missing === "amount") {
    const title = "How much would you like to transfer?";
    const field = { unit: "USD", argument: missing, call: { tool, arguments: args } };
    const form = widgetMeta({ kind: "field", title, field });
    return forUser("Please enter an amount.", structured, form);
  }
  const title = missing === "fromAccountId" ? "Transfer from which account?" : "To which account?";
  const choices = customer
    .listAccounts()
    .filter(({ accountId }) => ![args.fromAccountId, args.toAccountId].includes(accountId))
    .map(({ accountId, name }) => {
      return { label: name, call: { tool, arguments: { ...args, [missing]: accountId } } };
    });
  const picker = widgetMeta({ kind: "options", title, choices });
  return forUser("Please choose an account.", structured, picker);
}

function explainLock({ name, accountId }: Account): CallToolResult {
  const text =
    `I'm sorry, but your ${name} account is currently locked. You'll need to ` +
    "speak with a customer service agent before you can transfer money from it.";
  const reason = `Customer attempted to transfer from locked account: ${name} (${accountId})`;
  const next = nextTool("request_agent_handoff", { reason });
  return forUser(text, { status: "locked", fromAccountId: accountId }, next);
}

const SETTLED = {
  confirmed: (cents: number) => `Done: ${formatDollars(cents / 100)} has been transferred.`,
  already_confirmed: () => "This transfer is already confirmed; nothing was moved again.",
  cancelled: () => "The transfer is cancelled; no money has moved.",
  already_cancelled: () => "This transfer is already cancelled; no money has moved.",
  unknown_transfer: () => "There is no such transfer.",
};

const REASONS = {
  unknown_account: "one of the accounts does not exist",
  account_locked: "the account to pay from is locked",
  same_account: "both accounts are the same",
  invalid_amount: "the amount must be between $0.01 and $1,000,000, in whole cents",
  insufficient_funds: "the account to pay from does not hold enough",
};

function explain(reason: keyof typeof REASONS): string {
  return `The transfer is not possible: ${REASONS[reason]}.`;
}
