import { type Decision, findTool, type Rule, type Turn } from "@toolrail/example-offline-model";
import { answerResult, relayHandoff } from "./rules/answer-result.ts";
import {
  findAccountId,
  findAccountIds,
  readAmount,
  readTransferWish,
} from "./rules/read-sentence.ts";

/** The fake model's rules for conversations with the bank. Tool results come first. */
export const bankRules: readonly Rule[] = [
  relayHandoff,
  answerResult,
  askToSignIn,
  { can: "Ask for a person.", decide: askForPerson },
  {
    can: "Say: transfer 50 from savings to everyday current.",
    decide({ lastUser }) {
      const wish = readTransferWish(lastUser);
      return wish && call("prepare_money_transfer", wish);
    },
  },
  { can: "Ask: what is the balance of my savings?", decide: askForBalance },
  {
    can: "Ask: which accounts do I have?",
    decide: ({ lastUser }) => (/\baccounts\b/i.test(lastUser) ? call("list_accounts") : undefined),
  },
  { can: "Say: my checking account does not work.", decide: askForCheck },
  say(
    /^\W*(yes|ok|okay|confirm|cancel|no)\b/i,
    "I cannot decide that for you: please use the buttons of the application.",
  ),
  say(/\bthank/i, "You are welcome."),
  say(
    /^\W*(hello|hi|hey)\b|\bhelp\b|what can you do/i,
    "Hello! I am the bank's assistant, a rule-based fake model. I can list your accounts, show a " +
      "balance, prepare a transfer, check an account that does not work, or get you a person.",
  ),
];

const WHICH = "checking, savings, current or vacation?";

function askToSignIn({ tools, lastUser }: Turn): Decision | undefined {
  const wish = /\b(account|accounts|balances?|transfer|move|send|pay|how much|locked|blocked)\b/i;
  if (findTool(tools, "list_accounts") || !wish.test(lastUser)) return undefined;
  return { text: "Please sign in with your PIN first; then I can help you with your accounts." };
}

function askForPerson({ lastUser }: Turn): Decision | undefined {
  const wantsPerson = /\b(human|person|agent|someone|somebody)\b/i;
  if (!wantsPerson.test(lastUser) || readAmount(lastUser) !== undefined) return undefined;
  return call("request_agent_handoff", { reason: "The customer asked to speak to a person." });
}

function askForBalance({ lastUser }: Turn): Decision | undefined {
  if (!/\b(balances?|how much)\b/i.test(lastUser)) return undefined;
  const ids = findAccountIds(lastUser);
  if (ids.length === 0) return { text: `Of which account: ${WHICH}` };
  const name = "get_account_balance";
  return { toolCalls: ids.map((accountId) => ({ name, arguments: { accountId } })) };
}

function askForCheck({ lastUser }: Turn): Decision | undefined {
  const trouble = /n['’]t work|\b(not work\w*|blocked|locked|frozen|broken|problem|issue|check)\b/i;
  if (!trouble.test(lastUser)) return undefined;
  const accountId = findAccountId(lastUser);
  if (!accountId) return { text: `Which account is it: ${WHICH}` };
  return call("check_account_issue", { accountId });
}

function say(pattern: RegExp, text: string): Rule {
  return ({ lastUser }) => (pattern.test(lastUser) ? { text } : undefined);
}

function call(name: string, args: object = {}): Decision {
  return { toolCalls: [{ name, arguments: { ...args } }] };
}
