import type { HostEvent, Tool } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { JsonObject } from "@toolrail/core/json";
import { GUARD_LIST, type PendingApproval } from "../agents/agent.ts";
import type { Widget } from "../bank/meta.ts";
import { formatDollars } from "../bank/tool.ts";
import type { EntryOf, QuestionView } from "./conversation-view.ts";

type Tools = readonly Tool[];

/** Converts an event of the host to an entry, if the customer sees it. */
export function toHopEntry(event: HostEvent, tools: Tools): EntryOf<"hop"> | undefined {
  if (event.type !== "call") return undefined;
  const { callId: id, tool, origin, elapsedMs: durationMs } = event;
  const title = tools.find((one) => one.id === tool)?.title ?? tool;
  const by = origin.by === "application" ? "customer" : origin.by;
  const hop = { type: "hop", id, tool, title, by } as const;
  if (event.outcome === "failed") return { ...hop, durationMs, state: "error" };
  if (event.outcome === "refused") {
    return event.code === "needs-approval" ? undefined : { ...hop, durationMs, state: "refused" };
  }
  if (event.stage === "authorize") return { ...hop, state: "running" };
  if (event.stage !== "record") return undefined;
  return { ...hop, durationMs, state: event.isError ? "error" : "done" };
}

/** Asks a person for approval: the action, and its arguments in the words of a customer. */
export function toApprovalQuestion(
  { toolName, arguments: args, reason }: PendingApproval,
  { tools, accounts }: { readonly tools: Tools; readonly accounts: ReadonlyMap<string, string> },
): QuestionView {
  const tool = tools.find(({ modelName }) => modelName === toolName);
  const toText = (key: string, value: unknown) => {
    if (key === "amount" && typeof value === "number") return formatDollars(value);
    if (!key.endsWith("AccountId")) return String(value);
    return accounts.get(String(value)) ?? `${value}, which is not one of your accounts`;
  };
  const details = Object.entries(args).map(([key, value]) => {
    // "fromAccountId" becomes "From account".
    const words = key.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { name: toSentence(words), value: toText(key, value) };
  });
  // Approved, a transfer is confirmed as well: see `createConversation`.
  const isTransfer = tool?.name === "prepare_money_transfer";
  return {
    ...{ kind: "approval", state: "open", details },
    title: isTransfer ? "Transfer money" : (tool?.title ?? toolName),
    reason: reason && `${toSentence(reason)}.`,
    choices: ["Approve", "Decline"],
  };
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const REFUSALS: Readonly<Record<string, string>> = {
  "step-used": "The guard refused a second call: a question has one.",
  "not-allowed": "The guard refused a call, as its tool is not on the bank’s list.",
  denied: "You declined, so that the guard made no call.",
};

/** Describes the outcome of a question in guard mode. Returns `undefined` if a person is asked instead. */
export function toGuardText(outcome: GuardOutcome, tools: Tools): string | undefined {
  if (outcome.verdict === "ask") return undefined;
  if (outcome.verdict === "block") return REFUSALS[outcome.code] ?? "The guard let nothing pass.";
  if (!("hop" in outcome) || !outcome.notFollowed) {
    return "The guard let one call pass. This question has no other.";
  }
  const { server, tool } = outcome.notFollowed;
  const named = tools.find(({ id }) => id === `${server}.${tool}`)?.title ?? tool;
  return `The guard let one call pass. Its answer asks for a second one, “${named}”: that was not made.`;
}

/** The tools of the operator's list, by the titles that the bank gives them. */
export function toGuardList(tools: Tools) {
  return Object.entries(GUARD_LIST).flatMap(([id, entry]) => {
    const tool = tools.find((one) => one.id === id);
    return tool ? { title: tool.title ?? tool.name, asks: entry === "ask" } : [];
  });
}

export function toQuestion({ kind, title, choices, field }: Widget): QuestionView {
  const labels = choices?.map(({ label }) => label);
  return { kind, title, choices: labels, unit: field?.unit, state: "open" };
}

/** A call that the customer asks for with a widget. The label is what they read of their choice. */
export interface WidgetCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly label: string;
}

/** Finds the call of an answer. Returns `undefined` if it is not one of the choices. */
export function toWidgetCall({ choices, field }: Widget, answer: string): WidgetCall | undefined {
  const choice = choices?.find(({ label }) => label === answer);
  if (choice) return { ...choice.call, label: answer };
  if (!field || !answer) return undefined;
  const { call, argument, unit = "" } = field;
  const label = `${answer} ${unit}`.trim();
  return { tool: call.tool, arguments: { ...call.arguments, [argument]: Number(answer) }, label };
}
