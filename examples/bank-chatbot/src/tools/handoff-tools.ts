import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { ADDS, APP_ONLY, forAll, forUser, READS, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { widgetMeta } from "./widgets.ts";

const reason = z
  .string()
  .min(1)
  .max(500)
  .describe("Why an agent is needed, for the agent to read.");

/** The offer is for the customer alone if there are buttons. Otherwise, the model has to relay it. */
export function registerRequestAgentHandoff(server: McpServer, hasButtons: boolean) {
  const config = {
    title: "Request agent handoff",
    description: "Offers the customer a conversation with a human agent, by call-back or chat.",
    inputSchema: z.strictObject({ reason }),
    outputSchema: z.strictObject({
      status: z.literal("handoff_offered").describe("The offer is with the customer."),
      options: z.array(z.enum(["call_back", "chat"])).describe("What the customer may choose."),
      reason: z.string().describe("The reason as it was given."),
    }),
    annotations: READS,
  };
  return server.registerTool("request_agent_handoff", config, ({ reason }) => {
    const text = "A customer service agent can help you: by call-back, or in a chat now.";
    const meta = widgetMeta({
      type: "confirmation",
      title: "How would you like to talk to us?",
      on_confirm: { tool: "schedule_call_back", parameters: { reason } },
      on_cancel: { tool: "start_live_chat", parameters: { reason } },
      confirm_label: "Call me back",
      cancel_label: "Chat with a person now",
    });
    return toResult({
      content: [hasButtons ? forUser(text) : forAll(text)],
      structured: { status: "handoff_offered", options: ["call_back", "chat"], reason },
      ...(hasButtons && { meta }),
    });
  });
}

export function registerScheduleCallBack(server: McpServer, store: BankStore) {
  const config = {
    title: "Schedule call-back",
    description: "Arranges that an agent of the bank calls the customer.",
    inputSchema: z.strictObject({ reason }),
    outputSchema: z.strictObject({
      status: z.literal("scheduled").describe("The call is arranged."),
      ticketId: z.string().describe("The number of the ticket that says so."),
    }),
    annotations: ADDS,
    _meta: APP_ONLY,
  };
  return server.registerTool("schedule_call_back", config, (_args, extra) => {
    const ticket = { customerId: customerOf(extra), issueType: "call_back", urgency: "normal" };
    const { ticketId } = store.createTicket(ticket);
    return toResult({
      content: [forUser(`We will call you back. Your ticket is ${ticketId}.`)],
      structured: { status: "scheduled", ticketId },
    });
  });
}

export function registerStartLiveChat(server: McpServer) {
  const config = {
    title: "Start live chat",
    description: "Asks an agent of the bank to join the conversation.",
    inputSchema: z.strictObject({ reason }),
    outputSchema: z.strictObject({ status: z.literal("queued").describe("An agent will join.") }),
    annotations: ADDS,
    _meta: APP_ONLY,
  };
  return server.registerTool("start_live_chat", config, () => {
    const text = "An agent will join you here. (In this demo nobody is at the other end.)";
    return toResult({ content: [forUser(text)], structured: { status: "queued" } });
  });
}

export function registerInitiateHumanHandoff(server: McpServer, store: BankStore) {
  const config = {
    title: "Initiate human handoff",
    description: "Opens a ticket with which a specialist takes over the customer's issue.",
    inputSchema: z.strictObject({
      customerId: z.string().min(1).describe("The customer's id, from check_account_issue."),
      issueType: z.string().min(1).max(64).describe("What it is about, such as account_locked."),
      urgency: z.enum(["low", "normal", "high"]).describe("How soon a specialist is needed."),
    }),
    outputSchema: z.strictObject({
      status: z.enum(["ticket_created", "refused"]).describe("Whether there is a ticket."),
      ticketId: z.string().optional().describe("Present with ticket_created."),
      reason: z.string().optional().describe("Why not; present with refused."),
    }),
    annotations: ADDS,
  };
  return server.registerTool("initiate_human_handoff", config, (args, extra) => {
    if (args.customerId !== customerOf(extra)) {
      const structured = { status: "refused", reason: "other_customer" };
      const content = [forAll("A ticket can only be opened for the customer of this request.")];
      return toResult({ content, structured, isError: true });
    }
    const { ticketId } = store.createTicket(args);
    return toResult({
      content: [forAll(`A specialist will contact you. Your ticket is ${ticketId}.`)],
      structured: { status: "ticket_created", ticketId },
    });
  });
}
