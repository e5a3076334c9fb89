import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BankStore } from "../bank-store.ts";
import { type Answer, forUser, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { threadOf } from "./thread.ts";
import { widgetMeta } from "./widgets.ts";

/** The key of the result `_meta` in which a tool asks the application to do something itself. */
const EXTENSIONS_META_KEY = "toolrail.example/extensions";

const reason = z
  .string()
  .min(1)
  .max(500)
  .describe("Why an agent is needed, for the agent to read.");
const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/** In a conversation the offer comes with buttons; elsewhere the words have to do. */
export function offerChoices(
  request: Parameters<typeof threadOf>[0],
  why: string,
): Pick<Answer, "meta"> {
  if (!threadOf(request)) return {};
  const on_confirm = { tool: "schedule_call_back", parameters: { reason: why } };
  const on_cancel = { tool: "start_live_chat", parameters: { reason: why } };
  const labels = { confirm_label: "Call me back", cancel_label: "Chat with a person now" };
  const title = "How would you like to talk to us?";
  return { meta: widgetMeta({ type: "confirmation", title, on_confirm, on_cancel, ...labels }) };
}

export function registerScheduleCallBack(
  server: McpServer,
  store: BankStore,
  now: () => number = Date.now,
): void {
  const config = {
    title: "Schedule call-back",
    description: "Arranges the time at which an agent of the bank calls the customer.",
    inputSchema: z.strictObject({
      reason,
      when: z.iso
        .datetime({ local: true, offset: true })
        .optional()
        .describe("ISO 8601 date and time. Left out: the customer picks one."),
      phone: z
        .string()
        .regex(/^\+?[\d ()-]{5,20}$/)
        .optional()
        .describe("The number to call. Left out: the customer enters one."),
    }),
    outputSchema: z.strictObject({
      status: z.enum(["needs_input", "scheduled"]).describe("Whether the call is arranged."),
      missing: z.enum(["when", "phone"]).optional().describe("What the customer is asked for."),
      ticketId: z.string().optional().describe("Present with scheduled."),
    }),
    annotations: { title: "Schedule call-back", ...annotations },
    _meta: { ui: { visibility: ["app"] } },
  };
  server.registerTool("schedule_call_back", config, (args, extra) => {
    const { when, phone } = args;
    if (!when) return ask("datetime", "When may we call you?", "when", args);
    if (Date.parse(when) < now()) {
      const answer = ask("datetime", "When may we call you?", "when", { ...args, when: undefined });
      return { ...answer, content: [forUser("That time has passed. Please choose a later one.")] };
    }
    if (!phone) return ask("text", "Which number may we call?", "phone", args);
    const customerId = customerOf(extra);
    const ticket = { customerId, issueType: "call_back", urgency: "normal" };
    const { ticketId } = store.createTicket(ticket);
    const text = `We will call you on ${phone} at ${toTimeText(when)}. Your ticket is ${ticketId}.`;
    const structured = { status: "scheduled", ticketId };
    return toResult({ content: [forUser(text)], structured });
  });
}

function ask(
  type: "datetime" | "text",
  title: string,
  missing: "when" | "phone",
  parameters: Record<string, unknown>,
) {
  const on_event = { tool: "schedule_call_back", parameters, map_input_to: missing };
  const placeholder = type === "text" ? "+1 555 0100" : undefined;
  const meta = widgetMeta({ type, title, on_event, ...(placeholder && { placeholder }) });
  return toResult({ structured: { status: "needs_input", missing }, meta });
}

/** "2026-12-01T10:30" as the customer wrote it, without a zone of its own. */
function toTimeText(when: string): string {
  const [date = "", time = ""] = when.split("T");
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString("en-US", {
    dateStyle: "full",
    timeZone: "UTC",
  });
  return `${time.slice(0, 5)} on ${day}`;
}

export function registerStartLiveChat(server: McpServer): void {
  const config = {
    title: "Start live chat",
    description: "Hands the conversation over to an agent of the bank.",
    inputSchema: z.strictObject({ reason }),
    outputSchema: z.strictObject({
      status: z.literal("handed_over").describe("The conversation belongs to an agent now."),
    }),
    annotations: { title: "Start live chat", ...annotations },
    _meta: { ui: { visibility: ["app"] } },
  };
  server.registerTool("start_live_chat", config, (args) =>
    toResult({
      content: [forUser("You are being connected with an agent.")],
      structured: { status: "handed_over" },
      meta: {
        [EXTENSIONS_META_KEY]: {
          transfer_to_live_agent: {
            message_to_human_agent: args.reason,
            agent_available: "An agent is here and has read what this is about.",
            agent_unavailable: "All agents are busy right now. You keep your place in the queue.",
          },
        },
      },
    }),
  );
}
