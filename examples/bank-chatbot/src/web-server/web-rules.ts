import type { Decision, Rule, Turn } from "@toolrail/example-offline-model";
import { findTool } from "@toolrail/example-offline-model";
import { bankRules } from "../bank-rules.ts";
import { readTransferWish } from "../rules/transfer-request.ts";

/** The offline model's rules in the browser, where the bank signs customers in and asks for amounts. */
export const webRules: readonly Rule[] = [
  takeNoForAnAnswer,
  askToSignIn,
  letCustomerEnterAmount,
  ...bankRules,
];

function takeNoForAnAnswer({ toolResultsSinceUser }: Turn): Decision | undefined {
  const text = toolResultsSinceUser.at(-1)?.text ?? "";
  if (!/\b(execution denied|was not approved|declined)\b/i.test(text)) return undefined;
  return { text: "All right, I have left it. Nothing has been done." };
}

function askToSignIn({ tools, lastUser, toolResultsSinceUser }: Turn): Decision | undefined {
  if (toolResultsSinceUser.length > 0 || findTool(tools, "list_accounts")) return undefined;
  const wish = /\b(account|accounts|balance|transfer|move|send|pay|how much|locked|blocked)\b/i;
  if (!wish.test(lastUser)) return undefined;
  return { text: "Please sign in with your PIN first; then I can help you with your accounts." };
}

/** A real model finds begin_transfer by its description. */
function letCustomerEnterAmount(turn: Turn): Decision | undefined {
  if (turn.toolResultsSinceUser.length > 0 || !findTool(turn.tools, "begin_transfer")) {
    return undefined;
  }
  const wish = readTransferWish(turn.lastUser);
  if (!wish || wish.amount !== undefined) return undefined;
  return { toolCalls: [{ name: "begin_transfer", arguments: { ...wish } }] };
}
