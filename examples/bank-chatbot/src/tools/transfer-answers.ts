import type { Account, Transfer } from "../store/bank-records.ts";
import type { RefusalReason } from "../store/transfers.ts";
import { type Answer, forAll, formatCents, forUser, nextTool } from "./answer.ts";
import { type WidgetCall, widgetMeta } from "./widgets.ts";

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

export function refused(reason: RefusalReason): Answer {
  const content = [forAll(explainRefusal(reason))];
  return { content, structured: { status: "refused", reason }, isError: true };
}

/** No text at all: the application shows the picker, and calls the tool again with the choice. */
export function needsAccount(
  missing: "fromAccountId" | "toAccountId",
  accounts: readonly Account[],
  parameters: Record<string, unknown>,
): Answer {
  const options = accounts.map(({ accountId, name }) => ({ value: accountId, label: name }));
  const title = missing === "fromAccountId" ? "Transfer from which account?" : "To which account?";
  const on_event = { tool: "prepare_money_transfer", parameters, map_input_to: missing };
  return {
    structured: { status: "needs_input", missing },
    meta: widgetMeta({ type: "options", title, options, on_event }),
  };
}

export function locked({ name, accountId }: Account): Answer {
  const account = `${name} (${accountId})`;
  return {
    content: [
      forUser(
        `I'm sorry, but your ${name} account (${accountId}) is currently locked. You'll need to ` +
          "speak with a customer service agent before you can transfer money from it.",
      ),
    ],
    structured: { status: "locked", fromAccountId: accountId },
    meta: nextTool("request_agent_handoff", {
      reason: `Customer attempted to transfer from locked account: ${account}`,
    }),
  };
}

export function awaitingConfirmation(transfer: Transfer, from: string, to: string): Answer {
  const { transferId, fromAccountId, toAccountId, amountCents, memo } = transfer;
  const summary = `Transfer ${formatCents(amountCents)} from ${from} to ${to}`;
  const settle = (decision: "confirm" | "cancel"): WidgetCall => ({
    tool: "confirm_or_cancel_transfer",
    parameters: { transferId, decision },
  });
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
