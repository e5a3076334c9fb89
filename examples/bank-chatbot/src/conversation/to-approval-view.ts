import type { Tool } from "@toolrail/core";
import type { PendingApproval } from "../agents/bank-agent.ts";
import { formatDollars } from "../tools/answer.ts";
import type { ApprovalView } from "./conversation-view.ts";

export interface ApprovalContext {
  readonly tools: readonly Tool[];
  /** The customer's accounts: their names by their ids. */
  readonly accountNames: ReadonlyMap<string, string>;
}

/** Lists what a person must see to decide: the action and its arguments, in the words of a customer. */
export function toApprovalView(
  { toolName, arguments: args, reason }: PendingApproval,
  { tools, accountNames }: ApprovalContext,
): ApprovalView {
  const tool = tools.find(({ modelName }) => modelName === toolName);
  const details = Object.entries(args).map(([key, value]) => ({
    name: toWords(key),
    value: toValue(key, { value, accountNames }),
  }));
  const why = reason !== undefined && { reason: `${toSentence(reason)}.` };
  // Approved, a transfer is confirmed as well: see `createConversation`.
  const isTransfer = tool?.name === "prepare_money_transfer";
  const title = isTransfer ? "Transfer money" : (tool?.title ?? toolName);
  return { title, details, ...why, state: "open" };
}

function toValue(
  key: string,
  { value, accountNames }: { value: unknown } & Pick<ApprovalContext, "accountNames">,
): string {
  if (key === "amount" && typeof value === "number") return formatDollars(value);
  const text = String(value);
  if (!key.endsWith("AccountId")) return text;
  return accountNames.get(text) ?? `${text}, which is not one of your accounts`;
}

/** "fromAccountId" as "From account". */
function toWords(key: string): string {
  const words = key
    .replace(/Id$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return toSentence(words);
}

function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
