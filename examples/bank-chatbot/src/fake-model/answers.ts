import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";

/**
 * Reads tools' answers in any of the usual forms: text, JSON, a list of content blocks as JSON, or text with a line of JSON below it.
 * Returns what is prose, and every JSON object.
 */
function read(results: readonly { readonly text: string }[]) {
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
    } else if (typeof value === "object" && value !== null) {
      if ("type" in value && value.type === "text" && "text" in value)
        return void collect(value.text);
      objects.push({ ...value });
      for (const inner of Object.values(value)) if (typeof inner === "object") collect(inner);
    }
  }

  collect(results.map(({ text }) => text));
  return { text: lines.join("\n"), objects };
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
  const { text, objects } = read([last]);
  if (objects.some(({ accounts }) => Array.isArray(accounts))) {
    const names = objects.filter(({ accountId }) => accountId).map(({ name }) => `- ${name}`);
    return { text: ["Your accounts:", ...names].join("\n") };
  }
  return { text: sayHandoff(text) ?? sayText(text) };
}

/**
 * If no client follows `nextTool`, the model must see from the text that a person is needed, and make up the arguments. If the
 * result came with a handoff, there is nothing to do.
 */
export function relayHandoff({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const { text } = read(results);
  const isCalled =
    findTool(results, "request_agent_handoff") ?? findTool(results, "initiate_human_handoff");
  if (isCalled || sayHandoff(text)) return undefined;
  const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: { ...args } }] });
  if (/specialist assistance/i.test(text)) {
    const customerId = text.match(/customer (\w+)/i)?.[1];
    const issue = { issueType: "account_locked", urgency: "high" };
    return call("initiate_human_handoff", { customerId, ...issue });
  }
  const account = text.match(/your (.+?) account is currently locked/i)?.[1];
  if (!account) return undefined;
  return call("request_agent_handoff", { reason: `The customer's ${account} is locked.` });
}

function sayHandoff(text: string): string | undefined {
  const ticketId = text.match(/your ticket is (\w[\w-]*)/i)?.[1];
  if (ticketId) return `This needs a specialist, who will contact you. Your ticket is ${ticketId}.`;
  return /by call-back/i.test(text)
    ? "An agent can help you with this. Would you like a call-back, or a chat now?"
    : undefined;
}

/** What the fake model says about a text, by what it reads in it. It repeats any other text. */
const SAYINGS = [
  [/^$/, "The bank's answer holds nothing that I can read."],
  [
    /specialist assistance/i,
    "This account is locked, and only a specialist of the bank can open it.",
  ],
  [
    /\b(execution denied|was not approved|declined)\b/i,
    "All right, I have left it. Nothing has been done.",
  ],
  [
    /\b(shown|displayed|visible|delivered)\b.*\buser\b/i,
    "The bank has shown you the answer directly; I cannot read it myself.",
  ],
] as const;

function sayText(text: string): string {
  return SAYINGS.find(([pattern]) => pattern.test(text))?.[1] ?? text;
}
