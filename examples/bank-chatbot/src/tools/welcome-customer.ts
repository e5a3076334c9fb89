import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { forUser, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { threadOf } from "./thread.ts";
import { askForPin } from "./verify-customer-pin.ts";

/** Called by the application at the start of a conversation; it says hello and asks for the PIN. */
export function registerWelcomeCustomer(server: McpServer, store: BankStore): void {
  const config = {
    title: "Welcome customer",
    description: "Greets the customer at the start of a conversation and asks who they are.",
    inputSchema: z.strictObject({}),
    outputSchema: z.strictObject({
      status: z
        .enum(["pin_required", "ready"])
        .describe("Whether the customer still has to be identified."),
    }),
    annotations: {
      title: "Welcome customer",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    _meta: { welcomeTool: true, ui: { visibility: ["app"] } },
  };
  server.registerTool("welcome_customer", config, (_args, extra) => {
    const thread = threadOf(extra);
    const isReady = !thread?.signIn || store.isSignedIn(thread.threadId, customerOf(extra));
    if (isReady) {
      const content = [forUser("Welcome. How can I help you today?")];
      return toResult({ content, structured: { status: "ready" } });
    }
    return toResult({
      content: [forUser("Welcome. Before we start, please sign in with your PIN.")],
      structured: { status: "pin_required" },
      meta: askForPin(),
    });
  });
}
