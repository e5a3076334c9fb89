import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { forAll, formatCents, forUser, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";

const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export function registerListAccounts(server: McpServer, store: BankStore): void {
  const config = {
    title: "List accounts",
    description: "Lists the customer's accounts with their ids and names, without balances.",
    inputSchema: z.strictObject({}),
    outputSchema: z.strictObject({
      accounts: z
        .array(
          z.strictObject({
            accountId: z.string().describe("The id other tools take, such as acc_savings_001."),
            name: z.string().describe("The account's name, as the customer knows it."),
          }),
        )
        .describe("All accounts of the customer; empty where there are none."),
    }),
    annotations: { title: "List accounts", ...readOnly },
  };
  server.registerTool("list_accounts", config, (_args, extra) => {
    const accounts = store
      .listAccounts(customerOf(extra))
      .map(({ accountId, name }) => ({ accountId, name }));
    const structured = { accounts };
    return toResult({ content: [forAll(JSON.stringify(structured))], structured });
  });
}

export function registerGetAccountBalance(server: McpServer, store: BankStore): void {
  const config = {
    title: "Get account balance",
    description: "Shows the balance of one account to the customer.",
    inputSchema: z.strictObject({
      accountId: z.string().min(1).describe("The account's id, from list_accounts."),
    }),
    outputSchema: z.strictObject({
      status: z.enum(["ok", "unknown_account"]).describe("Whether the account was found."),
      accountId: z.string().describe("The id that was asked for."),
      balanceCents: z.int().optional().describe("The balance in cents; present when ok."),
      currency: z.literal("USD").optional().describe("The balance's currency; present when ok."),
    }),
    annotations: { title: "Get account balance", ...readOnly },
  };
  server.registerTool("get_account_balance", config, ({ accountId }, extra) => {
    const account = store.findAccount(customerOf(extra), accountId);
    if (!account) {
      const content = [forAll(`There is no account ${accountId}. Use an id from list_accounts.`)];
      return toResult({
        content,
        structured: { status: "unknown_account", accountId },
        isError: true,
      });
    }
    const { name, balanceCents } = account;
    return toResult({
      content: [forUser(`Your ${name} balance is ${formatCents(balanceCents)}.`)],
      structured: { status: "ok", accountId, balanceCents, currency: "USD" },
    });
  });
}
