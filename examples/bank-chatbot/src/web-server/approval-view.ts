import type { Host } from "@toolrail/core";
import type { PendingApproval } from "./agents/web-agent.ts";
import type { ApprovalView } from "./protocol.ts";

/** What a person has to see to decide: the tool's title and every argument. */
export function toApprovalView(
  host: Host | undefined,
  { server, tool: name, arguments: args }: PendingApproval["call"],
): ApprovalView {
  const tool = host?.tools.find((one) => one.server === server && one.name === name);
  const details = Object.entries(args).map(([key, value]) => ({
    name: toWords(key),
    value: typeof value === "string" ? value : toText(value),
  }));
  return { title: tool?.title ?? toWords(name), details, state: "open" };
}

function toText(value: unknown): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : JSON.stringify(value);
}

/** "fromAccountId" and "from_account_id" as "From account". */
function toWords(key: string): string {
  const words = key
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/ id$/, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
