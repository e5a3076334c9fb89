import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./bank-database.ts";

/** The demo customer's PIN. Its first digit is a zero on purpose: a PIN is text, not a number. */
export const DEMO_PIN = "0427";

/** Wrong PINs a conversation may try before a person has to help. */
const MAX_PIN_ATTEMPTS = 3;

type SignIn =
  | { readonly status: "signed_in" }
  | { readonly status: "wrong_pin"; readonly attemptsLeft: number }
  | { readonly status: "blocked" };

/** Whose conversations have been signed in, by thread. */
export interface SignIns {
  readonly isSignedIn: (threadId: string, customerId: string) => boolean;
  readonly signIn: (threadId: string, customerId: string, pin: string) => SignIn;
}

const TABLE = `
  CREATE TABLE IF NOT EXISTS sign_ins (
    thread_id TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    failures INTEGER NOT NULL,
    is_signed_in INTEGER NOT NULL CHECK (is_signed_in IN (0, 1)),
    PRIMARY KEY (thread_id, customer_id)
  ) STRICT;
`;

export function createSignIns(db: DatabaseSync): SignIns {
  db.exec(TABLE);
  const find = (threadId: string, customerId: string) =>
    db
      .prepare(
        "SELECT failures, is_signed_in FROM sign_ins WHERE thread_id = ? AND customer_id = ?",
      )
      .get(threadId, customerId);
  const save = (...values: [string, string, number, number]) =>
    db.prepare("INSERT OR REPLACE INTO sign_ins VALUES (?, ?, ?, ?)").run(...values);
  return {
    isSignedIn: (threadId, customerId) => find(threadId, customerId)?.is_signed_in === 1,
    signIn: (threadId, customerId, pin) =>
      inTransaction(db, () => {
        const failures = Number(find(threadId, customerId)?.failures ?? 0);
        if (failures >= MAX_PIN_ATTEMPTS) return { status: "blocked" };
        if (pin === DEMO_PIN) {
          save(threadId, customerId, 0, 1);
          return { status: "signed_in" };
        }
        save(threadId, customerId, failures + 1, 0);
        const attemptsLeft = MAX_PIN_ATTEMPTS - failures - 1;
        return attemptsLeft > 0 ? { status: "wrong_pin", attemptsLeft } : { status: "blocked" };
      }),
  };
}
