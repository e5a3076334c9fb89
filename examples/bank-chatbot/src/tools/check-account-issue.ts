import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { type Answer, forAll, nextTool, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";

const config = {
  title: "Check account issue",
  description: "Finds out what is wrong with an account, and passes a lock on to a specialist.",
  inputSchema: z.strictObject({
    accountId: z.string().min(1).describe("The account's id, from list_accounts."),
  }),
  outputSchema: z.strictObject({
    status: z
      .enum(["resolved", "requires_specialist", "unknown_account"])
      .describe("Whether the issue is settled, or who has to settle it."),
    accountId: z.string().describe("The id that was asked for."),
    customerId: z.string().optional().describe("Present with requires_specialist."),
    issueType: z.string().optional().describe("Present with requires_specialist."),
  }),
  annotations: {
    title: "Check account issue",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export function registerCheckAccountIssue(server: McpServer, store: BankStore): void {
  server.registerTool("check_account_issue", config, ({ accountId }, extra) =>
    toResult(check(store, customerOf(extra), accountId)),
  );
}

function check(store: BankStore, customerId: string, accountId: string): Answer {
  const account = store.findAccount(customerId, accountId);
  if (!account) {
    const content = [forAll(`There is no account ${accountId}. Use an id from list_accounts.`)];
    return { content, structured: { status: "unknown_account", accountId }, isError: true };
  }
  if (!account.isLocked) {
    const text = `Resolved: ${account.name} is open and works; nothing has to be done.`;
    return { content: [forAll(text)], structured: { status: "resolved", accountId } };
  }
  const text =
    `The account ${account.name} (${accountId}) of customer ${customerId} is locked. ` +
    "This account lockout requires specialist assistance.";
  const issueType = "account_locked";
  return {
    content: [forAll(text)],
    structured: { status: "requires_specialist", accountId, customerId, issueType },
    meta: nextTool("initiate_human_handoff", { customerId, issueType, urgency: "high" }),
  };
}
