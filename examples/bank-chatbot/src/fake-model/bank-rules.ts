import { type Decision, findTool, type Rule, type Turn } from "@toolrail/example-offline-model";
import { answerResult, relayHandoff } from "./answers.ts";

const WHICH = "checking, savings, current or vacation?";
const TROUBLE = /n['’]t work|\b(not work\w*|blocked|locked|frozen|broken|problem|issue|check)\b/i;

/** The fake model's rules for conversations with the bank. Tool results come first. */
export const bankRules: readonly Rule[] = [
  relayHandoff,
  answerResult,
  when(/\b(accounts?|balances?|transfer|move|send|pay|how much|locked|blocked)\b/i, askToSignIn),
  {
    can: "Ask for a person.",
    decide: when(/\b(human|person|agent|someone|somebody)\b/i, (text) => {
      const reason = "The customer asked to speak to a person.";
      return readAmount(text) === undefined ? call("request_agent_handoff", { reason }) : undefined;
    }),
  },
  {
    can: "Say: transfer 50 from savings to everyday current.",
    decide: when(/\b(transfer|move|send|put|pay)\b/i, prepareTransfer),
  },
  {
    can: "Ask: what is the balance of my savings?",
    decide: when(/\b(balances?|how much)\b/i, (text) => {
      const [name, ids] = ["get_account_balance", findAccountIds(text)];
      if (ids.length === 0) return { text: `Of which account: ${WHICH}` };
      return { toolCalls: ids.map((accountId) => ({ name, arguments: { accountId } })) };
    }),
  },
  {
    can: "Ask: which accounts do I have?",
    decide: when(/\baccounts\b/i, () => call("list_accounts", {})),
  },
  { can: "Say: my checking account does not work.", decide: when(TROUBLE, checkAccount) },
  when(/^\W*(yes|ok|okay|confirm|cancel|no)\b/i, () => {
    return { text: "I cannot decide that for you: please use the buttons of the application." };
  }),
  when(/\bthank/i, () => ({ text: "You are welcome." })),
  when(/^\W*(hello|hi|hey)\b|\bhelp\b|what can you do/i, () => ({
    text:
      "Hello! I am the bank's assistant, a rule-based fake model. I can list your accounts, show a " +
      "balance, prepare a transfer, check an account that does not work, or get you a person.",
  })),
];

/** Decides about the user's last text if it matches. */
function when(pattern: RegExp, decide: (text: string, turn: Turn) => Decision | undefined) {
  return (turn: Turn) => (pattern.test(turn.lastUser) ? decide(turn.lastUser, turn) : undefined);
}

function call(name: string, args: Readonly<Record<string, unknown>>): Decision {
  return { toolCalls: [{ name, arguments: args }] };
}

function askToSignIn(_text: string, { tools }: Turn): Decision | undefined {
  if (findTool(tools, "list_accounts")) return undefined;
  return { text: "Please sign in with your PIN first; then I can help you with your accounts." };
}

function checkAccount(text: string): Decision {
  const [accountId] = findAccountIds(text);
  if (!accountId) return { text: `Which account is it: ${WHICH}` };
  return call("check_account_issue", { accountId });
}

/** Reads "transfer 50 from primary checking to savings": the arguments, as far as the sentence gives them. */
function prepareTransfer(text: string): Decision {
  const parts = text.split(/\b(from|to|into)\b/i);
  const accountAfter = (words: RegExp) =>
    parts.flatMap((part, at) => (words.test(parts[at - 1] ?? "") ? findAccountIds(part) : []))[0];
  const fromAccountId = accountAfter(/^from$/i);
  const toAccountId = accountAfter(/^(to|into)$/i);
  return call("prepare_money_transfer", { amount: readAmount(text), fromAccountId, toAccountId });
}

/** The names that customers give to their accounts. A model would learn the ids from list_accounts. */
const ACCOUNT_WORDS: Readonly<Record<string, string>> = {
  checking: "acc_checking_001",
  savings: "acc_savings_001",
  current: "acc_current_001",
  everyday: "acc_current_001",
  vacation: "acc_vacation_001",
};

/** The ids of all accounts the text speaks of. */
function findAccountIds(text: string): string[] {
  // The "current balance" of an account does not name the current account.
  const named = text.toLowerCase().replace(/\bcurrent balance\b/g, "balance");
  const words = named.match(/acc_\w+|[a-z]+/g) ?? [];
  const ids = words.flatMap((word) => (word.startsWith("acc_") ? word : ACCOUNT_WORDS[word]) ?? []);
  return [...new Set(ids)];
}

/** Finds the first separate number that is no part of an id: "$1,250.50" is 1250.5, and "1e9" is no amount. */
function readAmount(text: string): number | undefined {
  const amount = /(?<![\w.])-?\d[\d,]*(\.\d+)?(?!\w|\.\d)/;
  const [number] = text.replace(/\bacc_\w+/g, "").match(amount) ?? [];
  return number === undefined ? undefined : Number(number.replaceAll(",", ""));
}
