import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { forUser, nextTool, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { threadOf } from "./thread.ts";
import { widgetMeta } from "./widgets.ts";

const config = {
  title: "Verify customer PIN",
  description: "Identifies the customer of this conversation by their PIN.",
  inputSchema: z.strictObject({
    pin: z
      .string()
      .regex(/^\d{4}$/)
      .describe("The four digits of the PIN, as text: it may start with a zero."),
  }),
  outputSchema: z.strictObject({
    status: z.enum(["signed_in", "wrong_pin", "blocked"]).describe("Whether the PIN is right."),
  }),
  annotations: {
    title: "Verify customer PIN",
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  // For the application's field: a PIN is nothing a model may read.
  _meta: { ui: { visibility: ["app"] } },
};

/** Asks the application for a field that feeds the PIN to verify_customer_pin. */
export function askForPin(): Record<string, unknown> {
  const on_event = { tool: "verify_customer_pin", parameters: {}, map_input_to: "pin" };
  return widgetMeta({ type: "number", title: "Your four-digit PIN", on_event });
}

export function registerVerifyCustomerPin(server: McpServer, store: BankStore): void {
  server.registerTool("verify_customer_pin", config, ({ pin }, extra) => {
    const thread = threadOf(extra);
    if (!thread) {
      const content = [forUser("A PIN can only be checked in a conversation.")];
      return toResult({ content, structured: { status: "wrong_pin" }, isError: true });
    }
    const signIn = store.signIn(thread.threadId, customerOf(extra), pin);
    const structured = { status: signIn.status };
    if (signIn.status === "signed_in") {
      server.sendToolListChanged();
      const content = [forUser("Thank you, you are signed in. What can I do for you?")];
      // The same news for a client that hears no notifications.
      return toResult({
        content,
        structured,
        meta: { refreshThreadCapabilities: thread.threadId },
      });
    }
    if (signIn.status === "blocked") {
      const content = [forUser("That was one wrong PIN too many, so sign-in is blocked here.")];
      const reason = "The customer could not sign in: too many wrong PINs.";
      return toResult({ content, structured, meta: nextTool("request_agent_handoff", { reason }) });
    }
    const { attemptsLeft } = signIn;
    const tries = attemptsLeft === 1 ? "one try" : `${attemptsLeft} tries`;
    const content = [forUser(`That PIN is not right. You have ${tries} left.`)];
    return toResult({ content, structured, meta: askForPin() });
  });
}
