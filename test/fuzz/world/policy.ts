import type { PendingCall } from "@toolrail/core";
import { dice } from "./answers.ts";
import { callKey, type Ledger, type MadeCall } from "./ledger.ts";
import type { ToolPlan } from "./tool-plan.ts";

/** What the policy says of a call. */
export function ruleOn({ rule }: ToolPlan, call: MadeCall): "allow" | "ask" | "deny" {
  if (rule !== "varies") return rule;
  return (["allow", "ask", "deny"] as const)[dice(callKey(call), 3)] ?? "deny";
}

/** What the person says of a call, who is the same in every run. */
export function wordOn(call: MadeCall): "approve" | { readonly deny: string } {
  return dice([callKey(call)], 4) === 0 ? { deny: "no, thank you" } : "approve";
}

/** Asks the person about a call that waits, and notes what was said. */
export function askThePerson(ledger: Ledger, { server, tool, arguments: args }: PendingCall) {
  const call = { tool: `${server}.${tool}`, arguments: args };
  const word = wordOn(call);
  (word === "approve" ? ledger.approved : ledger.rejected).push(callKey(call));
  return word;
}
