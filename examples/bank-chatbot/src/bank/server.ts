import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { addAccountTools } from "./account-tools.ts";
import {
  addHandoffButtons,
  addInitiateHumanHandoff,
  addRequestAgentHandoff,
} from "./handoff-tools.ts";
import { nextTool, widgetMeta } from "./meta.ts";
import { type BankStore, DEMO_PIN } from "./store.ts";
import { ADDS, type AddTool, createAddTool, forUser, READS } from "./tool.ts";
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
  const addTool = createAddTool(server, store);
  addRequestAgentHandoff(addTool, signIn);
  const accountTools = [
    ...addAccountTools(addTool),
    ...addTransferTools(addTool),
    addInitiateHumanHandoff(addTool),
  ];
  if (!signIn) return server;
  addHandoffButtons(addTool);
  for (const tool of accountTools) tool.disable();
  // Each of these notifies the client that the list of tools has changed.
  addSignIn(addTool, () => {
    for (const tool of accountTools) tool.enable();
  });
  return server;
}

/** Wrong PINs a session may try before a person has to help. */
const MAX_PIN_ATTEMPTS = 3;

const PIN_WIDGET = widgetMeta({
  ...{ kind: "field", title: "Your four-digit PIN" },
  field: { secret: true, argument: "pin", call: { tool: "verify_customer_pin", arguments: {} } },
});

/** The application calls `welcome_customer` at the start. `onSignIn` is called when the PIN of this session is right. */
function addSignIn(addTool: AddTool, onSignIn: () => void): void {
  addTool("welcome_customer", {
    title: "Welcome customer",
    description: "Greets the customer at the start of a conversation and asks who they are.",
    input: {},
    output: { status: z.literal("pin_required").describe("The customer has to be identified.") },
    ...{ annotations: READS, isAppOnly: true },
    answer() {
      const text = "Welcome. Before we start, please sign in with your PIN.";
      return forUser(text, { status: "pin_required" }, PIN_WIDGET);
    },
  });
  const pin = z.string().regex(/^\d{4}$/);
  let attemptsLeft = MAX_PIN_ATTEMPTS;
  addTool("verify_customer_pin", {
    title: "Verify customer PIN",
    description: "Identifies the customer of this session by their PIN.",
    input: { pin: pin.describe("The four digits of the PIN, as text: it may start with a zero.") },
    output: {
      status: z.enum(["signed_in", "wrong_pin", "blocked"]).describe("Whether the PIN is right."),
    },
    // This tool is for the application's field, since no model may read a PIN.
    ...{ annotations: ADDS, isAppOnly: true },
    answer({ pin }) {
      const isRight = attemptsLeft > 0 && pin === DEMO_PIN;
      attemptsLeft = isRight ? MAX_PIN_ATTEMPTS : attemptsLeft - 1;
      if (isRight) {
        onSignIn();
        const text = "Thank you, you are signed in. What can I do for you?";
        return forUser(text, { status: "signed_in" });
      }
      if (attemptsLeft <= 0) {
        const text = "That was one wrong PIN too many, so sign-in is blocked here.";
        const reason = "The customer could not sign in: too many wrong PINs.";
        return forUser(text, { status: "blocked" }, nextTool("request_agent_handoff", { reason }));
      }
      const tries = attemptsLeft === 1 ? "one try" : `${attemptsLeft} tries`;
      const text = `That PIN is not right. You have ${tries} left.`;
      return forUser(text, { status: "wrong_pin" }, PIN_WIDGET);
    },
  });
}
