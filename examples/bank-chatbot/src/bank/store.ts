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
}

interface Transfer extends TransferRequest {
  readonly transferId: string;
  status: "pending" | "confirmed" | "cancelled";
}

interface Settlement extends OfCustomer {
  readonly transferId: string;
  readonly decision: "confirm" | "cancel";
}

interface Ticket extends OfCustomer {
  readonly ticketId: string;
  readonly issueType: string;
  readonly urgency: string;
}

export type BankStore = ReturnType<typeof createBankStore>;

const customerId = DEMO_CUSTOMER_ID;

/** Creates the bank's books, in memory. Amounts are in cents, and a customer sees only what is theirs. */
export function createBankStore() {
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

  function findAccount(customerId: string, accountId: string): Account | undefined {
    return accounts.find((one) => one.customerId === customerId && one.accountId === accountId);
  }

  /** Finds the accounts of a transfer, or the reason why it cannot be carried out with the present balances. */
  function check({ customerId, fromAccountId, toAccountId, amountCents }: TransferRequest) {
    const [from, to] = [fromAccountId, toAccountId].map((id) => findAccount(customerId, id));
    const refuse = <const Reason>(reason: Reason) => ({ status: "refused", reason }) as const;
    if (!from || !to) return refuse("unknown_account");
    if (from.isLocked) return refuse("account_locked");
    if (from === to) return refuse("same_account");
    if (!isTransferable(amountCents)) return refuse("invalid_amount");
    if (from.balanceCents < amountCents) return refuse("insufficient_funds");
    return { status: "possible", from, to } as const;
  }

  /** Stores a pending transfer. No money moves. */
  function prepareTransfer(request: TransferRequest) {
    const checked = check(request);
    if (checked.status === "refused") return checked;
    const transferId = `transfer_${crypto.randomUUID()}`;
    const transfer: Transfer = { ...request, transferId, status: "pending" };
    transfers.push(transfer);
    return transfer;
  }

  /** Moves the money of a pending transfer, or cancels it. A second decision changes nothing. */
  function settleTransfer({ customerId, transferId, decision }: Settlement) {
    const transfer = transfers.find((one) => one.transferId === transferId);
    if (transfer?.customerId !== customerId) return { status: "unknown_transfer" } as const;
    if (transfer.status !== "pending") return { status: `already_${transfer.status}` } as const;
    if (decision === "cancel") {
      transfer.status = "cancelled";
      return { status: "cancelled" } as const;
    }
    const checked = check(transfer);
    if (checked.status === "refused") return checked;
    const { amountCents } = transfer;
    transfer.status = "confirmed";
    checked.from.balanceCents -= amountCents;
    checked.to.balanceCents += amountCents;
    return { status: "confirmed", amountCents } as const;
  }

  function createTicket(input: Omit<Ticket, "ticketId">): Ticket {
    const ticket = { ...input, ticketId: `T-${1001 + tickets.length}` };
    tickets.push(ticket);
    return ticket;
  }

  const listOwn = <T extends OfCustomer>(all: readonly T[]) => {
    return (customerId: string) => all.filter((one) => one.customerId === customerId);
  };
  return {
    ...{ findAccount, prepareTransfer, settleTransfer, createTicket },
    listAccounts: listOwn(accounts),
    listTransfers: listOwn(transfers),
    listTickets: listOwn(tickets),
  };
}

export function isTransferable(amountCents: number): boolean {
  return Number.isSafeInteger(amountCents) && amountCents > 0 && amountCents <= MAX_TRANSFER_CENTS;
}
