import { findAccountId } from "./account-words.ts";

/** The arguments of prepare_money_transfer, as far as a sentence gives them. */
export interface TransferWish {
  /** In dollars. */
  readonly amount?: number;
  readonly fromAccountId?: string;
  readonly toAccountId?: string;
}

/** Reads "transfer 50 from primary checking to savings"; undefined where it is no such wish. */
export function readTransferWish(text: string): TransferWish | undefined {
  if (!/\b(transfer|move|send|put|pay)\b/i.test(text)) return undefined;
  const fromAccountId = accountAfter(text, /^(from|out of)$/i);
  const toAccountId = accountAfter(text, /^(to|into|in)$/i);
  const amount = readAmount(text);
  return {
    ...(amount !== undefined && { amount }),
    ...(fromAccountId && { fromAccountId }),
    ...(toAccountId && { toAccountId }),
  };
}

/** The first number that stands alone, ids left out: "$1,250.50" is 1250.5, and "1e9" is none. */
export function readAmount(text: string): number | undefined {
  const number = text.replace(/\bacc_\w+/g, "").match(AMOUNT)?.[0];
  return number === undefined ? undefined : Number(number.replaceAll(",", ""));
}

const AMOUNT = /(?<![\w.])-?\d[\d,]*(\.\d+)?(?!\w|\.\d)/;

/** The account between the preposition and the next one. */
function accountAfter(text: string, preposition: RegExp): string | undefined {
  const parts = text.split(/\b(from|out of|to|into|in)\b/i);
  const accounts = parts.map((part, index) =>
    index > 0 && preposition.test(parts[index - 1] ?? "") ? findAccountId(part) : undefined,
  );
  return accounts.find((id) => id !== undefined);
}
