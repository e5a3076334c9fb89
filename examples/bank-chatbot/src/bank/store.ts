/** The customer the demo belongs to. */
export const DEMO_CUSTOMER_ID = "cust_demo_001";

/** The most one transfer may move: one million dollars. */
export const MAX_TRANSFER_CENTS = 100_000_000;

export interface Account {
  readonly customerId: string;
  readonly accountId: string;
  readonly name: string;
  readonly isLocked: boolean;
  balanceCents: number;
}

export interface TransferRequest {
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly amountCents: number;
}

export interface Transfer extends TransferRequest {
  readonly customerId: string;
  readonly transferId: string;
  status: "pending" | "confirmed" | "cancelled";
}

export interface TicketRequest {
  readonly issueType: string;
  readonly urgency: string;
}

export type BankStore = ReturnType<typeof createBankStore>;
export type Customer = ReturnType<BankStore["openFor"]>;

/** Creates the bank's books, in memory. Amounts are in cents. */
export function createBankStore() {
  const accounts: Account[] = [
    ["acc_checking_001", "Primary Checking", 245_000] as const,
    ["acc_savings_001", "High Yield Savings", 1_280_050] as const,
    ["acc_current_001", "Everyday Current", 64_025] as const,
    ["acc_vacation_001", "Vacation Fund", 150_000] as const,
  ].map(([accountId, name, balanceCents], at) => {
    return { accountId, customerId: DEMO_CUSTOMER_ID, name, balanceCents, isLocked: at === 0 };
  });
  const transfers: Transfer[] = [];
  const tickets: (TicketRequest & { customerId: string; ticketId: string })[] = [];

  /** Opens the books for one customer, who can see and move only what is theirs. */
  function openFor(customerId: string) {
    const isOwn = (one: { readonly customerId: string }) => one.customerId === customerId;
    const listAccounts = () => accounts.filter(isOwn);
    const findAccount = (id: string) => listAccounts().find(({ accountId }) => accountId === id);

    /** Finds the accounts of a transfer, or the reason why it cannot be carried out with the present balances. */
    function check({ fromAccountId, toAccountId, amountCents }: TransferRequest) {
      const [from, to] = [findAccount(fromAccountId), findAccount(toAccountId)];
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
      transfers.push({ ...request, customerId, transferId, status: "pending" });
      return { ...checked, transferId };
    }

    /** Moves the money of a pending transfer, or cancels it. A second decision changes nothing. */
    function settleTransfer(transferId: string, decision: "confirm" | "cancel") {
      const transfer = transfers.find((one) => isOwn(one) && one.transferId === transferId);
      if (!transfer) return { status: "unknown_transfer" } as const;
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

    /** Returns the id of the new ticket. */
    function createTicket(request: TicketRequest): string {
      const ticketId = `T-${1001 + tickets.length}`;
      tickets.push({ ...request, customerId, ticketId });
      return ticketId;
    }

    return {
      ...{ customerId, listAccounts, findAccount, prepareTransfer, settleTransfer, createTicket },
      listTransfers: () => transfers.filter(isOwn),
      listTickets: () => tickets.filter(isOwn),
    };
  }
  return { openFor };
}

export function isTransferable(amountCents: number): boolean {
  return Number.isSafeInteger(amountCents) && amountCents > 0 && amountCents <= MAX_TRANSFER_CENTS;
}
