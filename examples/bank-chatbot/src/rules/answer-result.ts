import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";
import { readToolMessage, type ToolMessage } from "./tool-message.ts";

/** Answers from the tool results since the user spoke, in a sentence or two. */
export function answerResult({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const last = results.findLast(({ text }) => !text.startsWith("Refused: ")) ?? results.at(-1);
  if (!last) return undefined;
  const message = readToolMessage(last.text);
  const accounts = findTool([last], "list_accounts") && listAccounts(message);
  return { text: accounts ?? sayHandoff(message) ?? sayStatus(message) ?? sayText(message) };
}

const HANDOFF_TOOLS = ["request_agent_handoff", "initiate_human_handoff"];

/**
 * If no client follows `nextTool`, the model must see from the text that a person is needed, and make up the arguments. If the
 * result came with a handoff, there is nothing to do.
 */
export function relayHandoff({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const message = readToolMessage(results.map(({ text }) => text).join("\n"));
  const isCalled = HANDOFF_TOOLS.some((name) => findTool(results, name));
  if (isCalled || sayHandoff(message)) return undefined;
  const { text, objects } = message;
  const statuses = objects.map(({ status }) => status);
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

function listAccounts({ objects }: ToolMessage): string | undefined {
  if (!objects.some(({ accounts }) => Array.isArray(accounts))) return undefined;
  const named = objects.filter(({ accountId }) => accountId !== undefined);
  const lines = named.map(({ name }) => `- ${name}`);
  return lines.length > 0 ? `Your accounts:\n${lines.join("\n")}` : "You have no accounts here.";
}

function sayHandoff({ text, objects }: ToolMessage): string | undefined {
  const ticket = objects.find(({ ticketId }) => ticketId !== undefined)?.ticketId;
  const ticketId = ticket ?? text.match(/your ticket is (\w[\w-]*)/i)?.[1];
  if (ticketId) return `This needs a specialist, who will contact you. Your ticket is ${ticketId}.`;
  const isOffered = objects.some(({ status }) => status === "handoff_offered");
  return isOffered || /by call-back/i.test(text)
    ? "An agent can help you with this. Would you like a call-back, or a chat now?"
    : undefined;
}

function sayStatus({ objects }: ToolMessage): string | undefined {
  const statuses = objects.map(({ status }) => status);
  if (statuses.includes("needs_input")) return "The application asks you for what is missing.";
  if (statuses.includes("requires_specialist")) {
    return "This account is locked, and only a specialist of the bank can open it.";
  }
  return statuses.includes("awaiting_confirmation") ? "The transfer is prepared." : undefined;
}

function sayText({ text }: ToolMessage): string {
  if (text === "") return "The bank's answer holds nothing that I can read.";
  if (/\b(execution denied|was not approved|declined)\b/i.test(text)) {
    return "All right, I have left it. Nothing has been done.";
  }
  const isPlaceholder = /\b(shown|displayed|visible|delivered)\b.*\buser\b/i.test(text);
  return isPlaceholder
    ? "The bank has shown you the answer directly; I cannot read it myself."
    : text;
}
