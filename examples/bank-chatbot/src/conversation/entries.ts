import type { HostEvent, Tool } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { PendingApproval } from "../agents/agent.ts";
import { formatDollars } from "../bank/tool.ts";
import type { ApprovalView, EntryOf, HopView } from "./conversation-view.ts";

/** What the customer is told about a call: how things are named. */
export interface Names {
  readonly tools: readonly Tool[];
  /** The customer's accounts: their names by their ids. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** Converts an event of the host to an entry. `asker` is the origin of calls that no model asked for. */
export function toHopEntry(
  event: HostEvent,
  { tools, asker }: { readonly tools: readonly Tool[]; readonly asker: "customer" | "application" },
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
  { tools, accounts }: Names,
): ApprovalView {
  const tool = tools.find(({ modelName }) => modelName === toolName);
  // Approved, a transfer is confirmed as well: see `createConversation`.
  const isTransfer = tool?.name === "prepare_money_transfer";
  const title = isTransfer ? "Transfer money" : (tool?.title ?? toolName);
  const details = Object.entries(args).map(([key, value]) => ({
    // "fromAccountId" becomes "From account".
    name: toSentence(
      key.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    ),
    value: toValue(key, { value, accounts }),
  }));
  return { title, details, ...(reason && { reason: `${toSentence(reason)}.` }), state: "open" };
}

function toValue(
  key: string,
  { value, accounts }: { value: unknown } & Pick<Names, "accounts">,
): string {
  if (key === "amount" && typeof value === "number") return formatDollars(value);
  const text = String(value);
  if (!key.endsWith("AccountId")) return text;
  return accounts.get(text) ?? `${text}, which is not one of your accounts`;
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
export function toGuardText(outcome: GuardOutcome, tools: readonly Tool[]): string | undefined {
  if (outcome.verdict === "ask") return undefined;
  if (outcome.verdict === "block") return REFUSALS[outcome.code] ?? "The guard let nothing pass.";
  if (!("hop" in outcome) || !outcome.notFollowed) {
    return "The guard let one call pass. This question has no other.";
  }
  const { server, tool } = outcome.notFollowed;
  const named = tools.find(({ id }) => id === `${server}.${tool}`)?.title ?? tool;
  return `The guard let one call pass. Its answer asks for a second one, “${named}”: that was not made.`;
}
