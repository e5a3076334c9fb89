import { z } from "zod";
import { nextTool } from "./meta.ts";
import { type AddTool, forAll, formatDollars, forUser, READS } from "./tool.ts";

const input = { accountId: z.string().min(1).describe("The account's id, from list_accounts.") };
const accountId = z.string().describe("The id that was asked for.");

export function addAccountTools(addTool: AddTool) {
  const listed = z.strictObject({
    accountId: z.string().describe("The id other tools take, such as acc_savings_001."),
    name: z.string().describe("The account's name, as the customer knows it."),
  });
  addTool("list_accounts", {
    title: "List accounts",
    description: "Lists the customer's accounts with their ids and names, without balances.",
    input: {},
    output: { accounts: z.array(listed).describe("All accounts of the customer.") },
    annotations: READS,
    answer(_args, customer) {
      const accounts = customer.listAccounts().map(({ accountId, name }) => ({ accountId, name }));
      return forAll(JSON.stringify({ accounts }), { accounts });
    },
  });

  addTool("get_account_balance", {
    title: "Get account balance",
    description: "Shows the balance of one account to the customer.",
    input,
    output: {
      status: z.enum(["ok", "unknown_account"]).describe("Whether the account was found."),
      accountId,
      balanceCents: z.int().optional().describe("The balance in cents; present when ok."),
      currency: z.literal("USD").optional().describe("The balance's currency; present when ok."),
    },
    annotations: READS,
    answer({ accountId }, customer) {
      const account = customer.findAccount(accountId);
      if (!account) return unknownAccount(accountId);
      const { name, balanceCents } = account;
      const text = `Your ${name} balance is ${formatDollars(balanceCents / 100)}.`;
      return forUser(text, { status: "ok", accountId, balanceCents, currency: "USD" });
    },
  });

  addTool("check_account_issue", {
    title: "Check account issue",
    description: "Finds out what is wrong with an account, and passes a lock on to a specialist.",
    input,
    output: {
      status: z
        .enum(["resolved", "requires_specialist", "unknown_account"])
        .describe("Whether the issue is settled, or who has to settle it."),
      accountId,
      customerId: z.string().optional().describe("Present with requires_specialist."),
      issueType: z.string().optional().describe("Present with requires_specialist."),
    },
    annotations: READS,
    answer({ accountId }, customer) {
      const account = customer.findAccount(accountId);
      if (!account) return unknownAccount(accountId);
      if (!account.isLocked) {
        const text = `Resolved: ${account.name} is open and works; nothing has to be done.`;
        return forAll(text, { status: "resolved", accountId });
      }
      const { customerId } = customer;
      const text =
        `The account ${account.name} (${accountId}) of customer ${customerId} is locked. ` +
        "This account lockout requires specialist assistance.";
      const issue = { customerId, issueType: "account_locked" };
      const next = nextTool("initiate_human_handoff", { ...issue, urgency: "high" });
      return forAll(text, { status: "requires_specialist", accountId, ...issue }, next);
    },
  });
}

function unknownAccount(accountId: string) {
  const text = `There is no account ${accountId}. Use an id from list_accounts.`;
  return { ...forAll(text, { status: "unknown_account", accountId }), isError: true };
}
