import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { nextTool } from "./meta.ts";
import type { BankStore } from "./store.ts";
import { addTool, formatCents, READS } from "./tool.ts";

const accountId = z.string().min(1).describe("The account's id, from list_accounts.");
const askedId = z.string().describe("The id that was asked for.");

export function addAccountTools(server: McpServer, store: BankStore) {
  const listAccounts = addTool(server, "list_accounts", {
    title: "List accounts",
    description: "Lists the customer's accounts with their ids and names, without balances.",
    input: {},
    output: {
      accounts: z
        .array(
          z.strictObject({
            accountId: z.string().describe("The id other tools take, such as acc_savings_001."),
            name: z.string().describe("The account's name, as the customer knows it."),
          }),
        )
        .describe("All accounts of the customer; empty where there are none."),
    },
    annotations: READS,
    answer(_args, customerId) {
      const own = store.listAccounts(customerId);
      const structured = { accounts: own.map(({ accountId, name }) => ({ accountId, name })) };
      return { text: JSON.stringify(structured), readBy: "all", structured };
    },
  });

  const getBalance = addTool(server, "get_account_balance", {
    title: "Get account balance",
    description: "Shows the balance of one account to the customer.",
    input: { accountId },
    output: {
      status: z.enum(["ok", "unknown_account"]).describe("Whether the account was found."),
      accountId: askedId,
      balanceCents: z.int().optional().describe("The balance in cents; present when ok."),
      currency: z.literal("USD").optional().describe("The balance's currency; present when ok."),
    },
    annotations: READS,
    answer({ accountId }, customerId) {
      const account = store.findAccount(customerId, accountId);
      if (!account) return unknownAccount(accountId);
      const { name, balanceCents } = account;
      const text = `Your ${name} balance is ${formatCents(balanceCents)}.`;
      const structured = { status: "ok", accountId, balanceCents, currency: "USD" };
      return { text, readBy: "user", structured };
    },
  });

  const checkIssue = addTool(server, "check_account_issue", {
    title: "Check account issue",
    description: "Finds out what is wrong with an account, and passes a lock on to a specialist.",
    input: { accountId },
    output: {
      status: z
        .enum(["resolved", "requires_specialist", "unknown_account"])
        .describe("Whether the issue is settled, or who has to settle it."),
      accountId: askedId,
      customerId: z.string().optional().describe("Present with requires_specialist."),
      issueType: z.string().optional().describe("Present with requires_specialist."),
    },
    annotations: READS,
    answer({ accountId }, customerId) {
      const account = store.findAccount(customerId, accountId);
      if (!account) return unknownAccount(accountId);
      if (!account.isLocked) {
        const text = `Resolved: ${account.name} is open and works; nothing has to be done.`;
        return { text, readBy: "all", structured: { status: "resolved", accountId } };
      }
      const issueType = "account_locked";
      return {
        text:
          `The account ${account.name} (${accountId}) of customer ${customerId} is locked. ` +
          "This account lockout requires specialist assistance.",
        readBy: "all",
        structured: { status: "requires_specialist", accountId, customerId, issueType },
        meta: nextTool("initiate_human_handoff", { customerId, issueType, urgency: "high" }),
      };
    },
  });
  return [listAccounts, getBalance, checkIssue];
}

function unknownAccount(accountId: string) {
  return {
    text: `There is no account ${accountId}. Use an id from list_accounts.`,
    readBy: "all" as const,
    structured: { status: "unknown_account", accountId },
    isError: true,
  };
}
