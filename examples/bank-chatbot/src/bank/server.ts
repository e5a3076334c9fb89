import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { addAccountTools } from "./account-tools.ts";
import { addHandoffTools } from "./handoff-tools.ts";
import type { BankStore } from "./store.ts";
import { createAddTool } from "./tool.ts";
import { addTransferTools } from "./transfer-tools.ts";

export interface BankServerOptions {
  readonly store: BankStore;
  /** True if the application has buttons with which the customer chooses how to talk to a person. Default false. */
  readonly hasButtons?: boolean;
}

/** Creates an MCP server with the bank's tools. It keeps nothing: all state is in the store. */
export function createBankServer({ store, hasButtons = false }: BankServerOptions): McpServer {
  const server = new McpServer({ name: "bank", version: "1.0.0" });
  const addTool = createAddTool(server, store);
  addAccountTools(addTool);
  addTransferTools(addTool);
  addHandoffTools(addTool, hasButtons);
  return server;
}
