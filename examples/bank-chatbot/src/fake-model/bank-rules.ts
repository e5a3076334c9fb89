import { type Decision, findTool, type Rule, type Turn } from "@toolrail/example-offline-model";
import { answerResult, relayHandoff } from "./answers.ts";

/** The fake model's rules for conversations with the bank. Tool results come first. */
export const bankRules: readonly Rule[] = [
  relayHandoff,
  answerResult,
  askToSignIn,
  { can: "Ask for a person.", decide: askForPerson },
  { can: "Say: transfer 50 from savings to everyday current.", decide: prepareTransfer },
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

/** Reads "transfer 50 from primary checking to savings": the arguments, as far as the sentence gives them. */
function prepareTransfer({ lastUser }: Turn): Decision | undefined {
  if (!/\b(transfer|move|send|put|pay)\b/i.test(lastUser)) return undefined;
  const parts = lastUser.split(/\b(from|to|into)\b/i);
  const accountAfter = (words: RegExp) =>
    parts.flatMap((part, at) => (words.test(parts[at - 1] ?? "") ? findAccountIds(part) : []))[0];
  const amount = readAmount(lastUser);
  const fromAccountId = accountAfter(/^from$/i);
  const toAccountId = accountAfter(/^(to|into)$/i);
  return call("prepare_money_transfer", { amount, fromAccountId, toAccountId });
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
  const [accountId] = findAccountIds(lastUser);
  return accountId
    ? call("check_account_issue", { accountId })
    : { text: `Which account is it: ${WHICH}` };
}

function say(pattern: RegExp, text: string): Rule {
  return ({ lastUser }) => (pattern.test(lastUser) ? { text } : undefined);
}

function call(name: string, args: Readonly<Record<string, unknown>> = {}): Decision {
  return { toolCalls: [{ name, arguments: args }] };
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
