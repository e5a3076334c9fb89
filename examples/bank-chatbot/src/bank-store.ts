import { openBankDatabase } from "./store/bank-database.ts";
import {
  type Account,
  parseAccount,
  parseTicket,
  parseTransfer,
  type Ticket,
  type Transfer,
} from "./store/bank-records.ts";
import { createSignIns, type SignIns } from "./store/sign-ins.ts";
import {
  cancelTransfer,
  confirmTransfer,
  findAccount,
  findRefusal,
  type Prepared,
  type Settled,
  type TransferRequest,
} from "./store/transfers.ts";

export interface BankStoreOptions {
  /** A file, or ":memory:" (the default). */
  readonly path?: string;
  /** Makes the ids of transfers and tickets; must not repeat itself. */
  readonly newId: () => string;
}

/** The bank's books. Every amount is in cents; a customer sees only what is the customer's own. */
export interface BankStore extends SignIns {
  readonly listAccounts: (customerId: string) => readonly Account[];
  readonly findAccount: (customerId: string, accountId: string) => Account | undefined;
  /** Stores a pending transfer; no money moves. */
  readonly prepareTransfer: (request: TransferRequest) => Prepared;
  readonly confirmTransfer: (customerId: string, transferId: string) => Settled;
  readonly cancelTransfer: (customerId: string, transferId: string) => Settled;
  readonly listTransfers: (customerId: string) => readonly Transfer[];
  readonly createTicket: (ticket: Omit<Ticket, "ticketId">) => Ticket;
  readonly listTickets: (customerId: string) => readonly Ticket[];
  readonly close: () => void;
}

export function createBankStore({ path = ":memory:", newId }: BankStoreOptions): BankStore {
  const db = openBankDatabase(path);
  const listOf = (table: "accounts" | "transfers" | "tickets", customerId: string) =>
    db.prepare(`SELECT * FROM ${table} WHERE customer_id = ? ORDER BY rowid`).all(customerId);

  function prepareTransfer(request: TransferRequest): Prepared {
    const reason = findRefusal(db, request);
    if (reason) return { status: "refused", reason };
    const transfer: Transfer = { ...request, transferId: `transfer_${newId()}`, status: "pending" };
    const { transferId, customerId, fromAccountId, toAccountId, amountCents, memo } = transfer;
    db.prepare("INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, 'pending')").run(
      ...[transferId, customerId, fromAccountId, toAccountId, amountCents, memo],
    );
    return { status: "pending", transfer };
  }

  function createTicket(input: Omit<Ticket, "ticketId">): Ticket {
    const ticket = { ...input, ticketId: `ticket_${newId()}` };
    const { ticketId, customerId, issueType, urgency } = ticket;
    const insert = "INSERT INTO tickets VALUES (?, ?, ?, ?)";
    db.prepare(insert).run(ticketId, customerId, issueType, urgency);
    return ticket;
  }

  return {
    ...createSignIns(db),
    listAccounts: (customerId) => listOf("accounts", customerId).map(parseAccount),
    findAccount: (customerId, accountId) => findAccount(db, customerId, accountId),
    prepareTransfer,
    confirmTransfer: (customerId, transferId) => confirmTransfer(db, customerId, transferId),
    cancelTransfer: (customerId, transferId) => cancelTransfer(db, customerId, transferId),
    listTransfers: (customerId) => listOf("transfers", customerId).map(parseTransfer),
    createTicket,
    listTickets: (customerId) => listOf("tickets", customerId).map(parseTicket),
    close: () => db.close(),
  };
}
