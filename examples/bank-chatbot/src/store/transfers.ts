import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "./bank-database.ts";
import { type Account, parseAccount, parseTransfer, type Transfer } from "./bank-records.ts";

/** The most one transfer may move: one million dollars. */
export const MAX_TRANSFER_CENTS = 100_000_000;

export type RefusalReason =
  | "unknown_account"
  | "account_locked"
  | "same_account"
  | "invalid_amount"
  | "insufficient_funds";

export interface TransferRequest {
  readonly customerId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly amountCents: number;
  readonly memo: string;
}

export type Prepared =
  | { readonly status: "pending"; readonly transfer: Transfer }
  | { readonly status: "refused"; readonly reason: RefusalReason };

export type Settled =
  | { readonly status: "confirmed" | "already_confirmed"; readonly transfer: Transfer }
  | { readonly status: "cancelled" | "already_cancelled"; readonly transfer: Transfer }
  | { readonly status: "refused"; readonly reason: RefusalReason; readonly transfer: Transfer }
  | { readonly status: "unknown_transfer" };

/** Why the request cannot be carried out as the accounts stand now; undefined where it can. */
export function findRefusal(db: DatabaseSync, request: TransferRequest): RefusalReason | undefined {
  const { customerId, fromAccountId, toAccountId, amountCents } = request;
  const from = findAccount(db, customerId, fromAccountId);
  if (!from || !findAccount(db, customerId, toAccountId)) return "unknown_account";
  if (from.isLocked) return "account_locked";
  if (fromAccountId === toAccountId) return "same_account";
  if (!isTransferable(amountCents)) return "invalid_amount";
  return from.balanceCents < amountCents ? "insufficient_funds" : undefined;
}

export function isTransferable(amountCents: number): boolean {
  return Number.isSafeInteger(amountCents) && amountCents > 0 && amountCents <= MAX_TRANSFER_CENTS;
}

/** Undefined where the account does not exist or is another customer's. */
export function findAccount(
  db: DatabaseSync,
  customerId: string,
  accountId: string,
): Account | undefined {
  const query = "SELECT * FROM accounts WHERE account_id = ? AND customer_id = ?";
  const row = db.prepare(query).get(accountId, customerId);
  return row && parseAccount(row);
}

/** Moves the money of a pending transfer, once: a second confirmation changes nothing. */
export function confirmTransfer(db: DatabaseSync, customerId: string, transferId: string): Settled {
  return inTransaction(db, () => {
    const transfer = findTransfer(db, customerId, transferId);
    if (!transfer) return { status: "unknown_transfer" };
    if (transfer.status !== "pending") return { status: `already_${transfer.status}`, transfer };
    const reason = findRefusal(db, transfer);
    if (reason) return { status: "refused", reason, transfer };
    addCents(db, transfer.fromAccountId, -transfer.amountCents);
    addCents(db, transfer.toAccountId, transfer.amountCents);
    return { status: "confirmed", transfer: mark(db, transfer, "confirmed") };
  });
}

export function cancelTransfer(db: DatabaseSync, customerId: string, transferId: string): Settled {
  return inTransaction(db, () => {
    const transfer = findTransfer(db, customerId, transferId);
    if (!transfer) return { status: "unknown_transfer" };
    if (transfer.status !== "pending") return { status: `already_${transfer.status}`, transfer };
    return { status: "cancelled", transfer: mark(db, transfer, "cancelled") };
  });
}

function findTransfer(db: DatabaseSync, customerId: string, transferId: string) {
  const query = "SELECT * FROM transfers WHERE transfer_id = ? AND customer_id = ?";
  const row = db.prepare(query).get(transferId, customerId);
  return row && parseTransfer(row);
}

function addCents(db: DatabaseSync, accountId: string, cents: number): void {
  const update = "UPDATE accounts SET balance_cents = balance_cents + ? WHERE account_id = ?";
  db.prepare(update).run(cents, accountId);
}

function mark(db: DatabaseSync, transfer: Transfer, status: Transfer["status"]): Transfer {
  const update = "UPDATE transfers SET status = ? WHERE transfer_id = ?";
  db.prepare(update).run(status, transfer.transferId);
  return { ...transfer, status };
}
