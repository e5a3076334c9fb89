import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { BankStore } from "./bank-store.ts";
import { registerGetAccountBalance, registerListAccounts } from "./tools/account-tools.ts";
import { registerBeginTransfer } from "./tools/begin-transfer.ts";
import { registerScheduleCallBack, registerStartLiveChat } from "./tools/call-back.ts";
import { registerCheckAccountIssue } from "./tools/check-account-issue.ts";
import {
  registerInitiateHumanHandoff,
  registerRequestAgentHandoff,
} from "./tools/handoff-tools.ts";
import { registerPrepareMoneyTransfer } from "./tools/prepare-transfer.ts";
import { registerConfirmOrCancelTransfer } from "./tools/settle-transfer.ts";
import { listPerThread } from "./tools/thread-tools.ts";
import { registerVerifyCustomerPin } from "./tools/verify-customer-pin.ts";
import { registerWelcomeCustomer } from "./tools/welcome-customer.ts";

/** A new MCP server with the bank's tools; one per session, all on the same store. */
export function createBankServer(store: BankStore): McpServer {
  const server = new McpServer({ name: "bank", version: "1.0.0" });
  registerBankTools(server, store);
  return server;
}

function registerBankTools(server: McpServer, store: BankStore): void {
  listPerThread(server, store);
  registerListAccounts(server, store);
  registerGetAccountBalance(server, store);
  registerPrepareMoneyTransfer(server, store);
  registerConfirmOrCancelTransfer(server, store);
  registerRequestAgentHandoff(server);
  registerCheckAccountIssue(server, store);
  registerInitiateHumanHandoff(server, store);
  registerWelcomeCustomer(server, store);
  registerVerifyCustomerPin(server, store);
  registerBeginTransfer(server);
  registerScheduleCallBack(server, store);
  registerStartLiveChat(server);
}
