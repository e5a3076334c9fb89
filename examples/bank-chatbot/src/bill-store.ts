import { type BankStore, DEMO_CUSTOMER_ID, type RefusalReason } from "./bank-store.ts";

export interface Bill {
  readonly billId: string;
  readonly customerId: string;
  readonly payee: string;
  readonly amountCents: number;
  /** The account that the customer pays such bills from. */
  readonly fromAccountId: string;
}

/** A requested payment. It must match the bill. */
export type Payment = Pick<Bill, "billId" | "customerId" | "payee" | "amountCents">;

export type BillRefusal = RefusalReason | "unknown_bill" | "already_paid" | "not_as_billed";

export type BillStore = ReturnType<typeof createBillStore>;

const DEMO_BILLS: readonly Bill[] = [
  ["bill_power_001", "City Power", 8_420] as const,
  ["bill_roof_001", "Hill Street Roofers", 64_000] as const,
  ["bill_phone_001", "Blue Line Telephone", 4_500] as const,
].map(([billId, payee, amountCents]) => {
  const fromAccountId = "acc_savings_001";
  return { billId, customerId: DEMO_CUSTOMER_ID, payee, amountCents, fromAccountId };
});

/** Creates the customers' bills, in memory. They are paid from the accounts of `bank`. */
export function createBillStore(bank: Pick<BankStore, "withdraw">) {
  const bills = new Map(DEMO_BILLS.map((bill) => [bill.billId, bill]));
  const paid: Bill[] = [];

  /** Pays a bill once. Returns the reason if it cannot. */
  function pay({ billId, customerId, payee, amountCents }: Payment): BillRefusal | undefined {
    const bill = bills.get(billId);
    if (bill?.customerId !== customerId) return "unknown_bill";
    if (bill.payee !== payee || bill.amountCents !== amountCents) return "not_as_billed";
    if (paid.includes(bill)) return "already_paid";
    const refusal = bank.withdraw({ customerId, accountId: bill.fromAccountId, amountCents });
    if (!refusal) paid.push(bill);
    return refusal;
  }

  const ownOf = (customerId: string) =>
    [...bills.values()].filter((bill) => bill.customerId === customerId);
  return {
    pay,
    listOpen: (customerId: string) => ownOf(customerId).filter((bill) => !paid.includes(bill)),
    listPaid: (customerId: string) => paid.filter((bill) => bill.customerId === customerId),
  };
}
