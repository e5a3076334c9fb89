import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { ADDS, APP_ONLY, forUser, nextTool, READS, toResult } from "./answer.ts";
import { widgetMeta } from "./widgets.ts";

/** The demo customer's PIN. Its first digit is a zero on purpose: a PIN is text, not a number. */
export const DEMO_PIN = "0427";

/** Wrong PINs a session may try before a person has to help. */
const MAX_PIN_ATTEMPTS = 3;

const PIN_WIDGET = widgetMeta({
  type: "number",
  title: "Your four-digit PIN",
  secret: true,
  on_event: { tool: "verify_customer_pin", parameters: {}, map_input_to: "pin" },
});

/** Registers the tool that the application calls at the start of a conversation. It greets and asks for the PIN. */
export function registerWelcomeCustomer(server: McpServer) {
  const config = {
    title: "Welcome customer",
    description: "Greets the customer at the start of a conversation and asks who they are.",
    inputSchema: z.strictObject({}),
    outputSchema: z.strictObject({
      status: z.literal("pin_required").describe("The customer has to be identified."),
    }),
    annotations: READS,
    _meta: APP_ONLY,
  };
  return server.registerTool("welcome_customer", config, () => {
    const content = [forUser("Welcome. Before we start, please sign in with your PIN.")];
    return toResult({ content, structured: { status: "pin_required" }, meta: PIN_WIDGET });
  });
}

/** Identifies the customer of this session, and reports it to `onSignIn`. */
export function registerVerifyCustomerPin(server: McpServer, onSignIn: () => void) {
  const config = {
    title: "Verify customer PIN",
    description: "Identifies the customer of this session by their PIN.",
    inputSchema: z.strictObject({
      pin: z
        .string()
        .regex(/^\d{4}$/)
        .describe("The four digits of the PIN, as text: it may start with a zero."),
    }),
    outputSchema: z.strictObject({
      status: z.enum(["signed_in", "wrong_pin", "blocked"]).describe("Whether the PIN is right."),
    }),
    annotations: ADDS,
    // This tool is for the application's field, since no model may read a PIN.
    _meta: APP_ONLY,
  };
  let attemptsLeft = MAX_PIN_ATTEMPTS;
  return server.registerTool("verify_customer_pin", config, ({ pin }) => {
    const isRight = attemptsLeft > 0 && pin === DEMO_PIN;
    attemptsLeft = isRight ? MAX_PIN_ATTEMPTS : attemptsLeft - 1;
    if (isRight) {
      onSignIn();
      const content = [forUser("Thank you, you are signed in. What can I do for you?")];
      return toResult({ content, structured: { status: "signed_in" } });
    }
    if (attemptsLeft <= 0) {
      const content = [forUser("That was one wrong PIN too many, so sign-in is blocked here.")];
      const reason = "The customer could not sign in: too many wrong PINs.";
      const meta = nextTool("request_agent_handoff", { reason });
      return toResult({ content, structured: { status: "blocked" }, meta });
    }
    const tries = attemptsLeft === 1 ? "one try" : `${attemptsLeft} tries`;
    const content = [forUser(`That PIN is not right. You have ${tries} left.`)];
    return toResult({ content, structured: { status: "wrong_pin" }, meta: PIN_WIDGET });
  });
}
