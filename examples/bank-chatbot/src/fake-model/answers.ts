import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";

/** Tools' answers taken apart: what is prose, and every JSON object found in them. */
interface Reading {
  readonly text: string;
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

/** Reads them in any of the usual forms: text, JSON, a list of content blocks as JSON, or text with a line of JSON below it. */
function read(results: readonly { readonly text: string }[]): Reading {
  const lines: string[] = [];
  const objects: Record<string, unknown>[] = [];

  function collect(value: unknown): void {
    if (typeof value === "string") {
      const json = parseJson(value);
      if (json !== undefined) collect(json);
      else if (value.includes("\n")) value.split("\n").forEach(collect);
      else if (value.trim() !== "") lines.push(value);
    } else if (Array.isArray(value)) {
      value.forEach(collect);
    } else if (isRecord(value) && value.type === "text") {
      collect(value.text);
    } else if (isRecord(value)) {
      objects.push(value);
      Object.values(value)
        .filter((inner) => typeof inner === "object")
        .forEach(collect);
    }
  }

  collect(results.map(({ text }) => text));
  return { text: lines.join("\n"), objects };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Objects and lists only: a lone number or word is text. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers from the tool results since the user spoke, in a sentence or two. */
export function answerResult({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const last = results.findLast(({ text }) => !text.startsWith("Refused: ")) ?? results.at(-1);
  if (!last) return undefined;
  const reading = read([last]);
  const accounts = findTool([last], "list_accounts") && listAccounts(reading);
  return { text: accounts ?? sayHandoff(reading) ?? sayStatus(reading) ?? sayText(reading) };
}

const HANDOFFS = ["request_agent_handoff", "initiate_human_handoff"];

/**
 * If no client follows `nextTool`, the model must see from the text that a person is needed, and make up the arguments. If the
 * result came with a handoff, there is nothing to do.
 */
export function relayHandoff({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const reading = read(results);
  if (HANDOFFS.some((name) => findTool(results, name)) || sayHandoff(reading)) return undefined;
  const { text, objects } = reading;
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: { ...args } }] });
  if (/specialist assistance/i.test(text) || hasStatus(reading, "requires_specialist")) {
    const known = objects.find(({ customerId }) => typeof customerId === "string")?.customerId;
    const customerId = known ?? text.match(/customer (\w+)/i)?.[1];
    const issue = { issueType: "account_locked", urgency: "high" };
    return call("initiate_human_handoff", { customerId, ...issue });
  }
  if (/\blocked\b/i.test(text) || hasStatus(reading, "locked")) {
    const account = text.match(/your (.+?) account/i)?.[1] ?? "account";
    return call("request_agent_handoff", { reason: `The customer's ${account} is locked.` });
  }
  return undefined;
}

function hasStatus({ objects }: Reading, wanted: string): boolean {
  return objects.some(({ status }) => status === wanted);
}

function listAccounts({ objects }: Reading): string | undefined {
  if (!objects.some(({ accounts }) => Array.isArray(accounts))) return undefined;
  const named = objects.filter(({ accountId }) => accountId !== undefined);
  const lines = named.map(({ name }) => `- ${name}`);
  return lines.length > 0 ? `Your accounts:\n${lines.join("\n")}` : "You have no accounts here.";
}

function sayHandoff(reading: Reading): string | undefined {
  const { text, objects } = reading;
  const ticket = objects.find(({ ticketId }) => ticketId !== undefined)?.ticketId;
  const ticketId = ticket ?? text.match(/your ticket is (\w[\w-]*)/i)?.[1];
  if (ticketId) return `This needs a specialist, who will contact you. Your ticket is ${ticketId}.`;
  return hasStatus(reading, "handoff_offered") || /by call-back/i.test(text)
    ? "An agent can help you with this. Would you like a call-back, or a chat now?"
    : undefined;
}

const STATUSES = {
  needs_input: "The application asks you for what is missing.",
  requires_specialist: "This account is locked, and only a specialist of the bank can open it.",
  awaiting_confirmation: "The transfer is prepared.",
};

function sayStatus(reading: Reading): string | undefined {
  return Object.entries(STATUSES).find(([status]) => hasStatus(reading, status))?.[1];
}

function sayText({ text }: Reading): string {
  if (text === "") return "The bank's answer holds nothing that I can read.";
  if (/\b(execution denied|was not approved|declined)\b/i.test(text)) {
    return "All right, I have left it. Nothing has been done.";
  }
  const isKept = /\b(shown|displayed|visible|delivered)\b.*\buser\b/i.test(text);
  return isKept ? "The bank has shown you the answer directly; I cannot read it myself." : text;
}
