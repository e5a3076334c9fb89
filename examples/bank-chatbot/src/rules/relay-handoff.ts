import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";
import { readToolMessage } from "./tool-message.ts";

const HANDOFF_TOOLS = ["request_agent_handoff", "initiate_human_handoff"];

/**
 * Where nobody follows `nextTool`, the model has to see from the words that a person is needed, and
 * has to make up the arguments. Nothing to do where a handoff was called, or came with the result.
 */
export function relayHandoff({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const called = HANDOFF_TOOLS.some((name) => findTool(results, name));
  const { text, objects } = readToolMessage(results.map((result) => result.text).join("\n"));
  const statuses = objects.map(({ status }) => status);
  const arrived = statuses.includes("handoff_offered") || statuses.includes("ticket_created");
  if (called || arrived || isHandoffText(text)) return undefined;

  if (/specialist assistance/i.test(text) || statuses.includes("requires_specialist")) {
    const known = objects.find(({ customerId }) => typeof customerId === "string")?.customerId;
    const customerId = known ?? text.match(/customer (\w+)/i)?.[1];
    const args = { customerId, issueType: "account_locked", urgency: "high" };
    return { toolCalls: [{ name: "initiate_human_handoff", arguments: args }] };
  }
  if (/\blocked\b/i.test(text) || statuses.includes("locked")) {
    const account = text.match(/your (.+?) account/i)?.[1] ?? "account";
    const args = { reason: `The customer's ${account} is locked.` };
    return { toolCalls: [{ name: "request_agent_handoff", arguments: args }] };
  }
  return undefined;
}

/** Whether the text is what a handoff tool says. */
export function isHandoffText(text: string): boolean {
  return /by call-back|your ticket is/i.test(text);
}
