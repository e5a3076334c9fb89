/** The names that customers give to their accounts. A model would learn the ids from list_accounts. */
const ACCOUNT_WORDS: Readonly<Record<string, string>> = {
  checking: "acc_checking_001",
  savings: "acc_savings_001",
  current: "acc_current_001",
  everyday: "acc_current_001",
  vacation: "acc_vacation_001",
};

/** The id of the first account the text speaks of. */
export function findAccountId(text: string): string | undefined {
  return findAccountIds(text)[0];
}

/** The ids of all accounts the text speaks of. */
export function findAccountIds(text: string): string[] {
  // The "current balance" of an account does not name the current account.
  const named = text.toLowerCase().replace(/\bcurrent balance\b/g, "balance");
  const words = named.match(/acc_\w+|[a-z]+/g) ?? [];
  const ids = words.flatMap((word) => (word.startsWith("acc_") ? word : ACCOUNT_WORDS[word]) ?? []);
  return [...new Set(ids)];
}

/** Finds the first separate number that is no part of an id: "$1,250.50" is 1250.5, and "1e9" is no amount. */
export function readAmount(text: string): number | undefined {
  const [number] = text.replace(/\bacc_\w+/g, "").match(AMOUNT) ?? [];
  return number === undefined ? undefined : Number(number.replaceAll(",", ""));
}

const AMOUNT = /(?<![\w.])-?\d[\d,]*(\.\d+)?(?!\w|\.\d)/;

/** The arguments of prepare_money_transfer, as far as a sentence gives them. */
export interface TransferWish {
  /** The amount in dollars. */
  readonly amount?: number;
  readonly fromAccountId?: string;
  readonly toAccountId?: string;
}

/** Reads "transfer 50 from primary checking to savings". Returns `undefined` if nothing is to be transferred. */
export function readTransferWish(text: string): TransferWish | undefined {
  if (!/\b(transfer|move|send|put|pay)\b/i.test(text)) return undefined;
  const amount = readAmount(text);
  const fromAccountId = accountAfter(text, ["from"]);
  const toAccountId = accountAfter(text, ["to", "into"]);
  return {
    ...(amount !== undefined && { amount }),
    ...(fromAccountId && { fromAccountId }),
    ...(toAccountId && { toAccountId }),
  };
}

/** The account between one of the words and the next of their kind. */
function accountAfter(text: string, words: readonly string[]): string | undefined {
  const parts = text.toLowerCase().split(/\b(from|to|into)\b/);
  const accounts = parts.map((part, index) =>
    words.includes(parts[index - 1] ?? "") ? findAccountId(part) : undefined,
  );
  return accounts.find((id) => id !== undefined);
}
