import { type Decision, findTool, type Rule, type Turn } from "@toolrail/example-offline-model";

const WHICH = "checking, savings, current or vacation?";
const TROUBLE = /n['’]t work|\b(not work\w*|blocked|locked|frozen|broken|problem|issue|check)\b/i;

/** The fake model's rules for conversations with the bank. Tool results come first. */
export const bankRules: readonly Rule[] = [
  relayHandoff,
  answerResult,
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
function when(pattern: RegExp, decide: (text: string) => Decision | undefined) {
  return (turn: Turn) => (pattern.test(turn.lastUser) ? decide(turn.lastUser) : undefined);
}

function call(name: string, args: Readonly<Record<string, unknown>>): Decision {
  return { toolCalls: [{ name, arguments: args }] };
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

/**
 * Reads tools' answers in any of the usual forms: text, JSON, a list of content blocks as JSON, or text with a line of JSON below it.
 * Returns what is prose, and every JSON object.
 */
function read(results: readonly { readonly text: string }[]) {
  const lines: string[] = [];
  const objects: Record<string, unknown>[] = [];

  function collect(value: unknown): void {
    if (typeof value === "string") {
      const json = parseJson(value);
      if (json !== undefined) collect(json);
      else if (value.includes("\n")) value.split("\n").forEach(collect);
      else if (value.trim() !== "") lines.push(value);
    } else if (Array.isArray(value)) {
      value.forEach(collect);
    } else if (typeof value === "object" && value !== null) {
      if ("type" in value && value.type === "text" && "text" in value)
        return void collect(value.text);
      objects.push({ ...value });
      for (const inner of Object.values(value)) if (typeof inner === "object") collect(inner);
    }
  }

  collect(results.map(({ text }) => text));
  return { text: lines.join("\n"), objects };
}

/** Objects and lists only: a lone number or word is text. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers from the tool results since the user spoke, in a sentence or two. */
function answerResult({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const last = results.findLast(({ text }) => !text.startsWith("Refused: ")) ?? results.at(-1);
  if (!last) return undefined;
  const { text, objects } = read([last]);
  if (objects.some(({ accounts }) => Array.isArray(accounts))) {
    const names = objects.filter(({ accountId }) => accountId).map(({ name }) => `- ${name}`);
    return { text: ["Your accounts:", ...names].join("\n") };
  }
  return { text: sayHandoff(text) ?? sayText(text) };
}

/**
 * If no client follows `nextTool`, the model must see from the text that a person is needed, and make up the arguments. If the
 * result came with a handoff, there is nothing to do.
 */
function relayHandoff({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const { text } = read(results);
  const isCalled =
    findTool(results, "request_agent_handoff") ?? findTool(results, "initiate_human_handoff");
  if (isCalled || sayHandoff(text)) return undefined;
  if (/specialist assistance/i.test(text)) {
    const customerId = text.match(/customer (\w+)/i)?.[1];
    const issue = { issueType: "account_locked", urgency: "high" };
    return call("initiate_human_handoff", { customerId, ...issue });
  }
  const account = text.match(/your (.+?) account is currently locked/i)?.[1];
  if (!account) return undefined;
  return call("request_agent_handoff", { reason: `The customer's ${account} is locked.` });
}

function sayHandoff(text: string): string | undefined {
  const ticketId = text.match(/your ticket is (\w[\w-]*)/i)?.[1];
  if (ticketId) return `This needs a specialist, who will contact you. Your ticket is ${ticketId}.`;
  return /by call-back/i.test(text)
    ? "An agent can help you with this. Would you like a call-back, or a chat now?"
    : undefined;
}

/** What the fake model says about a text, by what it reads in it. It repeats any other text. */
const SAYINGS = [
  [/^$/, "The bank's answer holds nothing that I can read."],
  [
    /specialist assistance/i,
    "This account is locked, and only a specialist of the bank can open it.",
  ],
  [
    /\b(execution denied|was not approved|declined)\b/i,
    "All right, I have left it. Nothing has been done.",
  ],
  [
    /\b(shown|displayed|visible|delivered)\b.*\buser\b/i,
    "The bank has shown you the answer directly; I cannot read it myself.",
  ],
] as const;

function sayText(text: string): string {
  return SAYINGS.find(([pattern]) => pattern.test(text))?.[1] ?? text;
}
