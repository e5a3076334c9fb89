import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { nextTool, widgetMeta } from "./meta.ts";
import type { BankStore } from "./store.ts";
import { ADDS, addTool, READS } from "./tool.ts";

const reason = z
  .string()
  .min(1)
  .max(500)
  .describe("Why an agent is needed, for the agent to read.");

/** The offer is for the customer alone if there are buttons. Otherwise, the model has to relay it. */
export function addRequestAgentHandoff(server: McpServer, hasButtons: boolean): void {
  addTool(server, "request_agent_handoff", {
    title: "Request agent handoff",
    description: "Offers the customer a conversation with a human agent, by call-back or chat.",
    input: { reason },
    output: {
      status: z.literal("handoff_offered").describe("The offer is with the customer."),
      options: z.array(z.enum(["call_back", "chat"])).describe("What the customer may choose."),
      reason: z.string().describe("The reason as it was given."),
    },
    annotations: READS,
    answer({ reason }) {
      const buttons = widgetMeta({
        type: "confirmation",
        title: "How would you like to talk to us?",
        on_confirm: { tool: "schedule_call_back", parameters: { reason } },
        on_cancel: { tool: "start_live_chat", parameters: { reason } },
        confirm_label: "Call me back",
        cancel_label: "Chat with a person now",
      });
      return {
        text: "A customer service agent can help you: by call-back, or in a chat now.",
        structured: { status: "handoff_offered", options: ["call_back", "chat"], reason },
        ...(hasButtons ? { readBy: "user", meta: buttons } : { readBy: "all" }),
      };
    },
  });
}

/** What the buttons of an offer call. */
export function addHandoffButtons(server: McpServer, store: BankStore): void {
  addTool(server, "schedule_call_back", {
    title: "Schedule call-back",
    description: "Arranges that an agent of the bank calls the customer.",
    input: { reason },
    output: {
      status: z.literal("scheduled").describe("The call is arranged."),
      ticketId: z.string().describe("The number of the ticket that says so."),
    },
    annotations: ADDS,
    isAppOnly: true,
    answer(_args, customerId) {
      const ticket = { customerId, issueType: "call_back", urgency: "normal" };
      const { ticketId } = store.createTicket(ticket);
      const text = `We will call you back. Your ticket is ${ticketId}.`;
      return { text, readBy: "user", structured: { status: "scheduled", ticketId } };
    },
  });
  addTool(server, "start_live_chat", {
    title: "Start live chat",
    description: "Asks an agent of the bank to join the conversation.",
    input: { reason },
    output: { status: z.literal("queued").describe("An agent will join.") },
    annotations: ADDS,
    isAppOnly: true,
    answer: () => ({
      text: "An agent will join you here. (In this demo nobody is at the other end.)",
      readBy: "user",
      structured: { status: "queued" },
    }),
  });
}

export function addInitiateHumanHandoff(server: McpServer, store: BankStore) {
  return addTool(server, "initiate_human_handoff", {
    title: "Initiate human handoff",
    description: "Opens a ticket with which a specialist takes over the customer's issue.",
    input: {
      customerId: z.string().min(1).describe("The customer's id, from check_account_issue."),
      issueType: z.string().min(1).max(64).describe("What it is about, such as account_locked."),
      urgency: z.enum(["low", "normal", "high"]).describe("How soon a specialist is needed."),
    },
    output: {
      status: z.enum(["ticket_created", "refused"]).describe("Whether there is a ticket."),
      ticketId: z.string().optional().describe("Present with ticket_created."),
      reason: z.string().optional().describe("Why not; present with refused."),
    },
    annotations: ADDS,
    answer(args, customerId) {
      if (args.customerId !== customerId) {
        const structured = { status: "refused", reason: "other_customer" };
        const text = "A ticket can only be opened for the customer of this request.";
        return { text, readBy: "all", structured, isError: true };
      }
      const { ticketId } = store.createTicket(args);
      const text = `A specialist will contact you. Your ticket is ${ticketId}.`;
      return { text, readBy: "all", structured: { status: "ticket_created", ticketId } };
    },
  });
}

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

/** The application calls `welcome_customer` at the start. `onSignIn` is called when the PIN of this session is right. */
export function addSignIn(server: McpServer, onSignIn: () => void): void {
  addTool(server, "welcome_customer", {
    title: "Welcome customer",
    description: "Greets the customer at the start of a conversation and asks who they are.",
    input: {},
    output: { status: z.literal("pin_required").describe("The customer has to be identified.") },
    annotations: READS,
    isAppOnly: true,
    answer: () => ({
      text: "Welcome. Before we start, please sign in with your PIN.",
      readBy: "user",
      structured: { status: "pin_required" },
      meta: PIN_WIDGET,
    }),
  });
  let attemptsLeft = MAX_PIN_ATTEMPTS;
  addTool(server, "verify_customer_pin", {
    title: "Verify customer PIN",
    description: "Identifies the customer of this session by their PIN.",
    input: {
      pin: z
        .string()
        .regex(/^\d{4}$/)
        .describe("The four digits of the PIN, as text: it may start with a zero."),
    },
    output: {
      status: z.enum(["signed_in", "wrong_pin", "blocked"]).describe("Whether the PIN is right."),
    },
    annotations: ADDS,
    // This tool is for the application's field, since no model may read a PIN.
    isAppOnly: true,
    answer({ pin }) {
      const isRight = attemptsLeft > 0 && pin === DEMO_PIN;
      attemptsLeft = isRight ? MAX_PIN_ATTEMPTS : attemptsLeft - 1;
      if (isRight) {
        onSignIn();
        const text = "Thank you, you are signed in. What can I do for you?";
        return { text, readBy: "user", structured: { status: "signed_in" } };
      }
      if (attemptsLeft <= 0) {
        const reason = "The customer could not sign in: too many wrong PINs.";
        const meta = nextTool("request_agent_handoff", { reason });
        const text = "That was one wrong PIN too many, so sign-in is blocked here.";
        return { text, readBy: "user", structured: { status: "blocked" }, meta };
      }
      const tries = attemptsLeft === 1 ? "one try" : `${attemptsLeft} tries`;
      const text = `That PIN is not right. You have ${tries} left.`;
      return { text, readBy: "user", structured: { status: "wrong_pin" }, meta: PIN_WIDGET };
    },
  });
}
