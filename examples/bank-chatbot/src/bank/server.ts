import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { addAccountTools } from "./account-tools.ts";
import {
  addHandoffButtons,
  addInitiateHumanHandoff,
  addRequestAgentHandoff,
} from "./handoff-tools.ts";
import type { BankStore } from "./store.ts";
import { createAddTool, forUser, READS } from "./tool.ts";
import { addTransferTools } from "./transfer-tools.ts";

export interface BankServerOptions {
  readonly store: BankStore;
  /** True if an application with a page uses the bank: it greets the customer, and offers buttons. Default false. */
  readonly hasPage?: boolean;
}

/** Creates an MCP server with the bank's tools. Each session has one, and all share the store. */
export function createBankServer({ store, hasPage = false }: BankServerOptions): McpServer {
  const server = new McpServer({ name: "bank", version: "1.0.0" });
  const addTool = createAddTool(server, store);
  addRequestAgentHandoff(addTool, hasPage);
  addInitiateHumanHandoff(addTool);
  addAccountTools(addTool);
  addTransferTools(addTool);
  if (!hasPage) return server;
  addHandoffButtons(addTool);
  // The application calls it at the start.
  addTool("welcome_customer", {
    title: "Welcome customer",
    description: "Greets the customer at the start of a conversation.",
    input: {},
    output: { status: z.literal("welcomed").describe("The greeting is with the customer.") },
    ...{ annotations: READS, isAppOnly: true },
    answer: () => forUser("Welcome. What can I do for you?", { status: "welcomed" }),
  });
  return server;
}
