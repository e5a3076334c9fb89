import type { HostTool } from "@toolrail/core";
import type { PendingApproval } from "../agents/bank-agent.ts";
import type { ApprovalView } from "./conversation-view.ts";

/** What a person has to see to decide: the tool's title and every argument. */
export function toApprovalView(
  { toolName, arguments: args, reason }: PendingApproval,
  tool: HostTool | undefined,
): ApprovalView {
  const details = Object.entries(args).map(([key, value]) => ({
    name: toWords(key),
    value: typeof value === "number" ? value.toLocaleString("en-US") : String(value),
  }));
  const why = reason !== undefined && { reason: `${toSentence(reason)}.` };
  return { title: tool?.title ?? toolName, details, ...why, state: "open" };
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
