import { randomUUID } from "node:crypto";

/** The customer the demo belongs to. */
export const DEMO_CUSTOMER_ID = "cust_demo_001";

/** The most one transfer may move: one million dollars. */
export const MAX_TRANSFER_CENTS = 100_000_000;

interface OfCustomer {
  readonly customerId: string;
}

export interface Account extends OfCustomer {
  readonly accountId: string;
  readonly name: string;
  readonly isLocked: boolean;
  balanceCents: number;
}

interface TransferRequest extends OfCustomer {
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly amountCents: number;
  readonly memo: string;
}

interface Transfer extends TransferRequest {
  readonly transferId: string;
  status: "pending" | "confirmed" | "cancelled";
}

interface Ticket extends OfCustomer {
  readonly ticketId: string;
  readonly issueType: string;
  readonly urgency: string;
}

export type RefusalReason =
  | "unknown_account"
  | "account_locked"
  | "same_account"
  | "invalid_amount"
  | "insufficient_funds";

interface Refused {
  readonly status: "refused";
  readonly reason: RefusalReason;
}

export type SettledStatus =
  | "confirmed"
  | "already_confirmed"
  | "cancelled"
  | "already_cancelled"
  | "unknown_transfer";

export type BankStore = ReturnType<typeof createBankStore>;

const customerId = DEMO_CUSTOMER_ID;

/**
 * Creates the bank's books, in memory. Amounts are in cents, and a customer sees only what is theirs. `newId` creates the ids of
 * transfers and must not repeat one.
 */
export function createBankStore(newId: () => string = randomUUID) {
  const accounts: Account[] = [
    ["acc_checking_001", "Primary Checking", 245_000] as const,
    ["acc_savings_001", "High Yield Savings", 1_280_050] as const,
    ["acc_current_001", "Everyday Current", 64_025] as const,
    ["acc_vacation_001", "Vacation Fund", 150_000] as const,
  ].map(([accountId, name, balanceCents], at) => {
    return { accountId, customerId, name, balanceCents, isLocked: at === 0 };
  });
  const transfers: Transfer[] = [];
  const tickets: Ticket[] = [];

  const ownOf = <T extends OfCustomer>(all: readonly T[]) => {
    return (customerId: string) => all.filter((one) => one.customerId === customerId);
  };

  function findAccount(customerId: string, accountId: string): Account | undefined {
    return ownOf(accounts)(customerId).find((account) => account.accountId === accountId);
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
  function prepareTransfer(request: TransferRequest): Transfer | Refused {
    const reason = findRefusal(request);
    if (reason) return { status: "refused", reason };
    const transfer: Transfer = { ...request, transferId: `transfer_${newId()}`, status: "pending" };
    transfers.push(transfer);
    return transfer;
  }

  /** Moves the money of a pending transfer, or cancels it. A second decision changes nothing. */
  function settleTransfer(settlement: {
    readonly customerId: string;
    readonly transferId: string;
    readonly decision: "confirm" | "cancel";
  }): { readonly status: SettledStatus; readonly amountCents?: number } | Refused {
    const { customerId, transferId, decision } = settlement;
    const transfer = ownOf(transfers)(customerId).find((one) => one.transferId === transferId);
    if (!transfer) return { status: "unknown_transfer" };
    const { status, fromAccountId, toAccountId, amountCents } = transfer;
    if (status !== "pending") return { status: `already_${status}` };
    if (decision === "cancel") {
      transfer.status = "cancelled";
      return { status: "cancelled" };
    }
    const reason = findRefusal(transfer);
    if (reason) return { status: "refused", reason };
    transfer.status = "confirmed";
    addCents(fromAccountId, -amountCents);
    addCents(toAccountId, amountCents);
    return { status: "confirmed", amountCents };
  }

  function addCents(accountId: string, cents: number): void {
    const account = accounts.find((one) => one.accountId === accountId);
    if (account) account.balanceCents += cents;
  }

  function createTicket(input: Omit<Ticket, "ticketId">): Ticket {
    const ticket = { ...input, ticketId: `T-${1001 + tickets.length}` };
    tickets.push(ticket);
    return ticket;
  }

  return {
    findAccount,
    prepareTransfer,
    settleTransfer,
    createTicket,
    listAccounts: ownOf(accounts),
    listTransfers: ownOf(transfers),
    listTickets: ownOf(tickets),
  };
}

export function isTransferable(amountCents: number): boolean {
  return Number.isSafeInteger(amountCents) && amountCents > 0 && amountCents <= MAX_TRANSFER_CENTS;
}
