import { z } from "zod";
import { widgetMeta } from "./meta.ts";
import { ADDS, type AddTool, forAll, forUser, READS } from "./tool.ts";

const input = {
  reason: z.string().min(1).max(500).describe("Why an agent is needed, for the agent to read."),
};

/** An offer is for the customer alone if there are buttons. Otherwise, the model has to relay it. */
export function addHandoffTools(addTool: AddTool, hasButtons: boolean) {
  addTool("request_agent_handoff", {
    title: "Request agent handoff",
    description: "Offers the customer a conversation with a human agent, by call-back or chat.",
    input,
    output: {
      status: z.literal("handoff_offered").describe("The offer is with the customer."),
      options: z.array(z.enum(["call_back", "chat"])).describe("What the customer may choose."),
      reason: z.string().describe("The reason as it was given."),
    },
    annotations: READS,
    answer({ reason }) {
      const text = "A customer service agent can help you: by call-back, or in a chat now.";
      const offer = { status: "handoff_offered", options: ["call_back", "chat"], reason };
      if (!hasButtons) return forAll(text, offer);
      const toCall = (tool: string) => ({ tool, arguments: { reason } });
      const buttons = widgetMeta({
        ...{ kind: "confirmation", title: "How would you like to talk to us?" },
        choices: [
          { label: "Call me back", call: toCall("schedule_call_back") },
          { label: "Chat with a person now", call: toCall("start_live_chat") },
        ],
      });
      return forUser(text, offer, buttons);
    },
  });

  addTool("initiate_human_handoff", {
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
    answer({ customerId, ...issue }, customer) {
      if (customerId !== customer.customerId) {
        const text = "A ticket can only be opened for the customer of this request.";
        return { ...forAll(text, { status: "refused", reason: "other_customer" }), isError: true };
      }
      const ticketId = customer.createTicket(issue);
      const text = `A specialist will contact you. Your ticket is ${ticketId}.`;
      return forAll(text, { status: "ticket_created", ticketId });
    },
  });

  if (!hasButtons) return;
  // What the buttons of an offer call.
  const shared = { input, annotations: ADDS, isAppOnly: true } as const;
  addTool("schedule_call_back", {
    title: "Schedule call-back",
    description: "Arranges that an agent of the bank calls the customer.",
    ...shared,
    output: {
      status: z.literal("scheduled").describe("The call is arranged."),
      ticketId: z.string().describe("The number of the ticket that says so."),
    },
    answer(_args, customer) {
      const ticketId = customer.createTicket({ issueType: "call_back", urgency: "normal" });
      const text = `We will call you back. Your ticket is ${ticketId}.`;
      return forUser(text, { status: "scheduled", ticketId });
    },
  });
  addTool("start_live_chat", {
    title: "Start live chat",
    description: "Asks an agent of the bank to join the conversation.",
    ...shared,
    output: { status: z.literal("queued").describe("An agent will join.") },
    answer() {
      const text = "An agent will join you here. (In this demo nobody is at the other end.)";
      return forUser(text, { status: "queued" });
    },
  });
}
