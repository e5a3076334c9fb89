import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { forAll, toResult } from "./answer.ts";
import { offerChoices } from "./call-back.ts";
import { customerOf } from "./customer.ts";

export function registerRequestAgentHandoff(server: McpServer): void {
  const config = {
    title: "Request agent handoff",
    description: "Offers the customer a conversation with a human agent, by call-back or chat.",
    inputSchema: z.strictObject({
      reason: z.string().min(1).max(500).describe("Why an agent is needed, for the agent to read."),
    }),
    outputSchema: z.strictObject({
      status: z.literal("handoff_offered").describe("The offer is with the customer."),
      options: z.array(z.enum(["call_back", "chat"])).describe("What the customer may choose."),
      reason: z.string().describe("The reason as it was given."),
    }),
    annotations: {
      title: "Request agent handoff",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
  server.registerTool("request_agent_handoff", config, ({ reason }, extra) =>
    toResult({
      ...offerChoices(extra, reason),
      content: [forAll("A customer service agent can help you: by call-back, or in a chat now.")],
      structured: { status: "handoff_offered", options: ["call_back", "chat"], reason },
    }),
  );
}

export function registerInitiateHumanHandoff(server: McpServer, store: BankStore): void {
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
    annotations: {
      title: "Initiate human handoff",
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  };
  server.registerTool("initiate_human_handoff", config, (args, extra) => {
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
