import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";
import { isHandoffText } from "./relay-handoff.ts";
import { readToolMessage, type ToolMessage } from "./tool-message.ts";

const SHOWN = "The bank has shown you the answer directly; I cannot read it myself.";

/** Answers in a sentence or two from the tool results since the user spoke. */
export function answerResult({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const last = results.at(-1);
  if (!last) return undefined;
  const message = readToolMessage(last.text);
  const accounts = findTool([last], "list_accounts") && listAccounts(message);
  return { text: accounts ?? sayHandoff(message) ?? sayStatus(message) ?? sayText(message) };
}

function listAccounts({ objects }: ToolMessage): string | undefined {
  if (!objects.some(({ accounts }) => Array.isArray(accounts))) return undefined;
  const named = objects.filter(({ accountId }) => accountId !== undefined);
  const lines = named.map(({ name, accountId }) => `- ${name} (${accountId})`);
  return lines.length > 0 ? `Your accounts:\n${lines.join("\n")}` : "You have no accounts here.";
}

function sayHandoff({ text, objects }: ToolMessage): string | undefined {
  const ticket = objects.find(({ ticketId }) => ticketId !== undefined)?.ticketId;
  const ticketId = ticket ?? text.match(/your ticket is (\w[\w-]*)/i)?.[1];
  if (ticketId) return `This needs a specialist, who will contact you. Your ticket is ${ticketId}.`;
  const offered = objects.some(({ status }) => status === "handoff_offered");
  return offered || isHandoffText(text)
    ? "An agent can help you with this. Would you like a call-back, or a chat now?"
    : undefined;
}

function sayStatus({ objects }: ToolMessage): string | undefined {
  const statuses = objects.map(({ status }) => status);
  if (statuses.includes("needs_input")) return "Please choose an account from the list.";
  if (statuses.includes("awaiting_confirmation")) {
    return "The transfer is ready. Please confirm or cancel it with the buttons.";
  }
  return undefined;
}

function sayText({ text }: ToolMessage): string {
  if (text.trim() === "") return "The bank's answer holds nothing that I can read.";
  const isPlaceholder = /\b(shown|displayed|visible|delivered)\b.*\buser\b/i.test(text);
  return isPlaceholder ? SHOWN : text;
}
