import { randomUUID } from "node:crypto";

/** The customer the demo belongs to. */
export const DEMO_CUSTOMER_ID = "cust_demo_001";

/** The most one transfer may move: one million dollars. */
export const MAX_TRANSFER_CENTS = 100_000_000;

export interface Account {
  readonly accountId: string;
  readonly customerId: string;
  readonly name: string;
  readonly balanceCents: number;
  readonly isLocked: boolean;
}

export interface TransferRequest {
  readonly customerId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly amountCents: number;
  readonly memo: string;
}

export interface Transfer extends TransferRequest {
  readonly transferId: string;
  readonly status: "pending" | "confirmed" | "cancelled";
}

export interface Ticket {
  readonly ticketId: string;
  readonly customerId: string;
  readonly issueType: string;
  readonly urgency: string;
}

export type RefusalReason =
  | "unknown_account"
  | "account_locked"
  | "same_account"
  | "invalid_amount"
  | "insufficient_funds";

type Refused = { readonly status: "refused"; readonly reason: RefusalReason };
type Prepared = { readonly status: "pending"; readonly transfer: Transfer } | Refused;
export type Settled =
  | {
      readonly status: "confirmed" | "already_confirmed" | "cancelled" | "already_cancelled";
      readonly transfer: Transfer;
    }
  | { readonly status: "unknown_transfer" }
  | Refused;

export type BankStore = ReturnType<typeof createBankStore>;

const customerId = DEMO_CUSTOMER_ID;
const DEMO_ACCOUNTS: readonly Account[] = [
  ["acc_checking_001", "Primary Checking", 245_000] as const,
  ["acc_savings_001", "High Yield Savings", 1_280_050] as const,
  ["acc_current_001", "Everyday Current", 64_025] as const,
  ["acc_vacation_001", "Vacation Fund", 150_000] as const,
].map(([accountId, name, balanceCents], at) => {
  return { accountId, customerId, name, balanceCents, isLocked: at === 0 };
});

/**
 * Creates the bank's books, in memory. Amounts are in cents, and a customer sees only their own accounts. `newId` creates the
 * ids of transfers and must not repeat one.
 */
export function createBankStore(newId: () => string = randomUUID) {
  const accounts = new Map(DEMO_ACCOUNTS.map((account) => [account.accountId, account]));
  const transfers = new Map<string, Transfer>();
  const tickets: Ticket[] = [];

  function findAccount(customerId: string, accountId: string): Account | undefined {
    const account = accounts.get(accountId);
    return account?.customerId === customerId ? account : undefined;
  }

  /** Finds the reason why a request cannot be carried out with the present balances. */
  function findRefusal(request: TransferRequest): RefusalReason | undefined {
    const { customerId, fromAccountId, toAccountId, amountCents } = request;
    const from = findAccount(customerId, fromAccountId);
    if (!from || !findAccount(customerId, toAccountId)) return "unknown_account";
    if (from.isLocked) return "account_locked";
    if (fromAccountId === toAccountId) return "same_account";
    if (!isTransferable(amountCents)) return "invalid_amount";
    return from.balanceCents < amountCents ? "insufficient_funds" : undefined;
  }

  /** Stores a pending transfer. No money moves. */
  function prepareTransfer(request: TransferRequest): Prepared {
    const reason = findRefusal(request);
    if (reason) return { status: "refused", reason };
    const transfer = { ...request, transferId: `transfer_${newId()}`, status: "pending" } as const;
    transfers.set(transfer.transferId, transfer);
    return { status: "pending", transfer };
  }

  /** Moves the money of a pending transfer, or cancels it. A second decision changes nothing. */
  function settleTransfer(settlement: {
    readonly customerId: string;
    readonly transferId: string;
    readonly decision: "confirm" | "cancel";
  }): Settled {
    const { customerId, transferId, decision } = settlement;
    const pending = transfers.get(transferId);
    if (pending?.customerId !== customerId) return { status: "unknown_transfer" };
    if (pending.status !== "pending") {
      return { status: `already_${pending.status}`, transfer: pending };
    }
    const reason = decision === "confirm" ? findRefusal(pending) : undefined;
    if (reason) return { status: "refused", reason };
    const status = decision === "confirm" ? "confirmed" : "cancelled";
    if (status === "confirmed") {
      addCents(pending.fromAccountId, -pending.amountCents);
      addCents(pending.toAccountId, pending.amountCents);
    }
    const transfer = { ...pending, status } as const;
    transfers.set(transferId, transfer);
    return { status, transfer };
  }

  function addCents(accountId: string, cents: number): void {
    const account = accounts.get(accountId);
    if (!account) return;
    accounts.set(accountId, { ...account, balanceCents: account.balanceCents + cents });
  }

  function createTicket(input: Omit<Ticket, "ticketId">): Ticket {
    const ticket = { ...input, ticketId: `T-${1001 + tickets.length}` };
    tickets.push(ticket);
    return ticket;
  }

  const ownOf = <T extends { readonly customerId: string }>(all: Iterable<T>, customerId: string) =>
    [...all].filter((one) => one.customerId === customerId);
  return {
    findAccount,
    prepareTransfer,
    settleTransfer,
    createTicket,
    listAccounts: (customerId: string) => ownOf(accounts.values(), customerId),
    listTransfers: (customerId: string) => ownOf(transfers.values(), customerId),
    listTickets: (customerId: string) => ownOf(tickets, customerId),
  };
}

export function isTransferable(amountCents: number): boolean {
  return Number.isSafeInteger(amountCents) && amountCents > 0 && amountCents <= MAX_TRANSFER_CENTS;
}
