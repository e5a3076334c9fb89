import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { BankStore } from "./bank-store.ts";
import {
  registerCheckAccountIssue,
  registerGetAccountBalance,
  registerListAccounts,
} from "./tools/account-tools.ts";
import {
  registerInitiateHumanHandoff,
  registerRequestAgentHandoff,
  registerScheduleCallBack,
  registerStartLiveChat,
} from "./tools/handoff-tools.ts";
import { registerPrepareMoneyTransfer } from "./tools/prepare-transfer.ts";
import { registerConfirmOrCancelTransfer } from "./tools/settle-transfer.ts";
import { registerVerifyCustomerPin, registerWelcomeCustomer } from "./tools/sign-in.ts";

export interface BankServerOptions {
  readonly store: BankStore;
  /**
   * True if an application with a page uses the bank. It asks for a PIN, lists the account tools once it is right, and offers
   * buttons and fields. Default false: the request itself names the customer.
   */
  readonly signIn?: boolean;
}

/** Creates an MCP server with the bank's tools. Each session has one, and all share the store. */
export function createBankServer({ store, signIn = false }: BankServerOptions): McpServer {
  const server = new McpServer({ name: "bank", version: "1.0.0" });
  registerRequestAgentHandoff(server, signIn);
  const accountTools = [
    registerListAccounts(server, store),
    registerGetAccountBalance(server, store),
    registerPrepareMoneyTransfer(server, store),
    registerConfirmOrCancelTransfer(server, store),
    registerCheckAccountIssue(server, store),
    registerInitiateHumanHandoff(server, store),
  ];
  if (!signIn) return server;
  registerScheduleCallBack(server, store);
  registerStartLiveChat(server);
  registerWelcomeCustomer(server);
  for (const tool of accountTools) tool.disable();
  // Each of these notifies the client that the list of tools has changed.
  registerVerifyCustomerPin(server, () => {
    for (const tool of accountTools) tool.enable();
  });
  return server;
}
