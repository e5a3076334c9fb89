import type { HostEvent, Tool } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { JsonObject } from "@toolrail/core/json";
import type { PendingApproval } from "../agents/agent.ts";
import type { Widget } from "../bank/meta.ts";
import { formatDollars } from "../bank/tool.ts";
import type { ApprovalView, ControlView, EntryOf, HopView } from "./conversation-view.ts";

type Tools = readonly Tool[];

/** Converts an event of the host to an entry. `asker` is the origin of calls that no model asked for. */
export function toHopEntry(
  event: HostEvent,
  { tools, asker }: { readonly tools: Tools; readonly asker: "customer" | "application" },
): EntryOf<"hop"> | undefined {
  const state = toState(event);
  if (event.type !== "call" || !state) return undefined;
  const { callId: id, tool, origin, elapsedMs: durationMs } = event;
  const title = tools.find((one) => one.id === tool)?.title ?? tool;
  const by = origin.by === "application" ? asker : origin.by;
  const hop = { type: "hop", id, tool, title, by, state } as const;
  return state === "running" ? hop : { ...hop, durationMs };
}

/** Returns `undefined` for an event that the customer is not shown. */
function toState(event: HostEvent): HopView["state"] | undefined {
  if (event.type !== "call") return undefined;
  const { stage, outcome, isError, code } = event;
  if (outcome === "failed") return "error";
  if (outcome === "refused") return code === "needs-approval" ? undefined : "refused";
  if (stage === "authorize") return "running";
  return stage === "record" ? (isError ? "error" : "done") : undefined;
}

/** Lists what a person must see to decide: the action and its arguments, in the words of a customer. */
export function toApprovalView(
  { toolName, arguments: args, reason }: PendingApproval,
  {
    tools,
    accounts,
  }: { readonly tools: Tools; readonly accounts?: ReadonlyMap<string, string> | undefined },
): ApprovalView {
  const tool = tools.find(({ modelName }) => modelName === toolName);
  // Approved, a transfer is confirmed as well: see `createConversation`.
  const isTransfer = tool?.name === "prepare_money_transfer";
  const toText = (key: string, value: unknown) => {
    if (key === "amount" && typeof value === "number") return formatDollars(value);
    if (!key.endsWith("AccountId")) return String(value);
    return accounts?.get(String(value)) ?? `${value}, which is not one of your accounts`;
  };
  const details = Object.entries(args).map(([key, value]) => {
    // "fromAccountId" becomes "From account".
    const words = key.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { name: toSentence(words), value: toText(key, value) };
  });
  const title = isTransfer ? "Transfer money" : (tool?.title ?? toolName);
  return { title, details, ...(reason && { reason: `${toSentence(reason)}.` }), state: "open" };
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const REFUSALS: Readonly<Record<string, string>> = {
  "step-used": "The guard refused a second call: a question has one.",
  "not-on-allowlist": "The guard refused a call, as its tool is not on the bank’s list.",
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

export function toControlView(widget: Widget): ControlView {
  const { type: kind, title } = widget;
  if (widget.type === "options") return { kind, title, choices: widget.options };
  if (widget.type === "number") return { kind, title, secret: widget.secret, unit: widget.unit };
  const confirm = { value: "confirm", label: widget.confirm_label };
  return { kind, title, choices: [confirm, { value: "cancel", label: widget.cancel_label }] };
}

/** A call that the customer asks for with a widget. The label is what they read of their choice. */
export interface ControlCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly label: string;
}

/** Finds the call of a value. Returns `undefined` if the value is not one of the choices. */
export function toControlCall(widget: Widget, value: string): ControlCall | undefined {
  const { choices, secret, unit = "" } = toControlView(widget);
  const typed = secret ? "••••" : `${value} ${unit}`.trim();
  const label = choices ? choices.find((one) => one.value === value)?.label : value && typed;
  if (!label) return undefined;
  if (widget.type === "confirmation") {
    const { tool, parameters } = value === "confirm" ? widget.on_confirm : widget.on_cancel;
    return { tool, arguments: parameters, label };
  }
  const { tool, parameters, map_input_to: key } = widget.on_event;
  // A secret is text: a PIN may start with a zero.
  const answer = choices || secret ? value : Number(value);
  return { tool, arguments: { ...parameters, [key]: answer }, label };
}
