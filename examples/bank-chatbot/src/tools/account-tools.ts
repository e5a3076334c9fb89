import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { type Answer, forAll, formatCents, forUser, nextTool, READS, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";

export function registerListAccounts(server: McpServer, store: BankStore) {
  const accountId = z.string().describe("The id other tools take, such as acc_savings_001.");
  const name = z.string().describe("The account's name, as the customer knows it.");
  const config = {
    title: "List accounts",
    description: "Lists the customer's accounts with their ids and names, without balances.",
    inputSchema: z.strictObject({}),
    outputSchema: z.strictObject({
      accounts: z
        .array(z.strictObject({ accountId, name }))
        .describe("All accounts of the customer; empty where there are none."),
    }),
    annotations: READS,
  };
  return server.registerTool("list_accounts", config, (_args, extra) => {
    const own = store.listAccounts(customerOf(extra));
    const structured = { accounts: own.map(({ accountId, name }) => ({ accountId, name })) };
    return toResult({ content: [forAll(JSON.stringify(structured))], structured });
  });
}

const accountId = z.string().min(1).describe("The account's id, from list_accounts.");
const askedId = z.string().describe("The id that was asked for.");

export function registerGetAccountBalance(server: McpServer, store: BankStore) {
  const config = {
    title: "Get account balance",
    description: "Shows the balance of one account to the customer.",
    inputSchema: z.strictObject({ accountId }),
    outputSchema: z.strictObject({
      status: z.enum(["ok", "unknown_account"]).describe("Whether the account was found."),
      accountId: askedId,
      balanceCents: z.int().optional().describe("The balance in cents; present when ok."),
      currency: z.literal("USD").optional().describe("The balance's currency; present when ok."),
    }),
    annotations: READS,
  };
  return server.registerTool("get_account_balance", config, ({ accountId }, extra) => {
    const account = store.findAccount(customerOf(extra), accountId);
    if (!account) return toResult(unknownAccount(accountId));
    const { name, balanceCents } = account;
    return toResult({
      content: [forUser(`Your ${name} balance is ${formatCents(balanceCents)}.`)],
      structured: { status: "ok", accountId, balanceCents, currency: "USD" },
    });
  });
}

export function registerCheckAccountIssue(server: McpServer, store: BankStore) {
  const config = {
    title: "Check account issue",
    description: "Finds out what is wrong with an account, and passes a lock on to a specialist.",
    inputSchema: z.strictObject({ accountId }),
    outputSchema: z.strictObject({
      status: z
        .enum(["resolved", "requires_specialist", "unknown_account"])
        .describe("Whether the issue is settled, or who has to settle it."),
      accountId: askedId,
      customerId: z.string().optional().describe("Present with requires_specialist."),
      issueType: z.string().optional().describe("Present with requires_specialist."),
    }),
    annotations: READS,
  };
  return server.registerTool("check_account_issue", config, ({ accountId }, extra) => {
    const customerId = customerOf(extra);
    const account = store.findAccount(customerId, accountId);
    if (!account) return toResult(unknownAccount(accountId));
    if (!account.isLocked) {
      const text = `Resolved: ${account.name} is open and works; nothing has to be done.`;
      return toResult({ content: [forAll(text)], structured: { status: "resolved", accountId } });
    }
    const text =
      `The account ${account.name} (${accountId}) of customer ${customerId} is locked. ` +
      "This account lockout requires specialist assistance.";
    const issueType = "account_locked";
    return toResult({
      content: [forAll(text)],
      structured: { status: "requires_specialist", accountId, customerId, issueType },
      meta: nextTool("initiate_human_handoff", { customerId, issueType, urgency: "high" }),
    });
  });
}

function unknownAccount(accountId: string): Answer {
  const content = [forAll(`There is no account ${accountId}. Use an id from list_accounts.`)];
  return { content, structured: { status: "unknown_account", accountId }, isError: true };
}
