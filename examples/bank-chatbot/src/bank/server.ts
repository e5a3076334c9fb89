import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { addAccountTools } from "./account-tools.ts";
import {
  addHandoffButtons,
  addInitiateHumanHandoff,
  addRequestAgentHandoff,
  addSignIn,
} from "./person-tools.ts";
import type { BankStore } from "./store.ts";
import { addTransferTools } from "./transfer-tools.ts";

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
  addRequestAgentHandoff(server, signIn);
  const accountTools = [
    ...addAccountTools(server, store),
    ...addTransferTools(server, store),
    addInitiateHumanHandoff(server, store),
  ];
  if (!signIn) return server;
  addHandoffButtons(server, store);
  for (const tool of accountTools) tool.disable();
  // Each of these notifies the client that the list of tools has changed.
  addSignIn(server, () => {
    for (const tool of accountTools) tool.enable();
  });
  return server;
}
