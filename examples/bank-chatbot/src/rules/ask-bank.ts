import type { Decision, Rule, Turn } from "@toolrail/example-offline-model";
import { findAccountId } from "./account-words.ts";
import { readAmount, readTransferWish } from "./transfer-request.ts";

const ASK_AMOUNT = "How much should I transfer?";

/** The rules for what the user says. They are asked only while no tool has answered yet. */
export const askRules: readonly Rule[] = [
  { can: "Ask for a person.", decide: askForPerson },
  { can: "Say: transfer 50 from savings to everyday current.", decide: askForTransfer },
  { can: "Ask: what is the balance of my savings?", decide: askForBalance },
  { can: "Ask: which accounts do I have?", decide: askForAccounts },
  { can: "Say: my checking account does not work.", decide: askForCheck },
  ({ lastUser }) => say(lastUser, /^\W*(yes|ok|okay|confirm|cancel|no)\b/i, USE_BUTTONS),
  ({ lastUser }) => say(lastUser, /\bthank/i, "You are welcome."),
];

const USE_BUTTONS = "I cannot decide that for you: please use the buttons of the application.";

function askForPerson({ lastUser }: Turn): Decision | undefined {
  const wantsPerson = /\b(human|person|agent|representative|advis[eo]r|someone|somebody)\b/i;
  if (!wantsPerson.test(lastUser) || readAmount(lastUser) !== undefined) return undefined;
  return call("request_agent_handoff", { reason: "The customer asked to speak to a person." });
}

function askForTransfer({ messages, lastUser }: Turn): Decision | undefined {
  const before = messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === "user"),
  );
  const asked = before.at(-1)?.content === ASK_AMOUNT;
  const earlier = asked ? before.findLast(({ role }) => role === "user")?.content : undefined;
  const wish = readTransferWish(typeof earlier === "string" ? `${earlier} ${lastUser}` : lastUser);
  if (!wish) return undefined;
  return wish.amount === undefined ? { text: ASK_AMOUNT } : call("prepare_money_transfer", wish);
}

function askForBalance({ lastUser }: Turn): Decision | undefined {
  if (!/\b(balance|how much)\b/i.test(lastUser)) return undefined;
  const accountId = findAccountId(lastUser);
  return accountId
    ? call("get_account_balance", { accountId })
    : { text: "Of which account: checking, savings, current or vacation?" };
}

function askForAccounts({ lastUser }: Turn): Decision | undefined {
  return /\baccounts\b/i.test(lastUser) ? call("list_accounts", {}) : undefined;
}

function askForCheck({ lastUser }: Turn): Decision | undefined {
  const trouble = /n['’]t work|\b(not work\w*|blocked|locked|frozen|broken|problem|issue|check)\b/i;
  if (!trouble.test(lastUser)) return undefined;
  const accountId = findAccountId(lastUser);
  return accountId
    ? call("check_account_issue", { accountId })
    : { text: "Which account is it: checking, savings, current or vacation?" };
}

function say(lastUser: string, pattern: RegExp, text: string): Decision | undefined {
  return pattern.test(lastUser) ? { text } : undefined;
}

function call(name: string, args: object): Decision {
  return { toolCalls: [{ name, arguments: { ...args } }] };
}
