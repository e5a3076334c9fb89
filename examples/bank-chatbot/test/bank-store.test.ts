import { expect, test } from "vitest";
import { createBankStore } from "../src/bank-store.ts";

const customerId = "cust_demo_001";
const good = {
  ...{ customerId, fromAccountId: "acc_savings_001", toAccountId: "acc_current_001" },
  ...{ amountCents: 5_000, memo: "" },
};

function newStore() {
  let count = 0;
  return createBankStore({ newId: () => String(++count) });
}

test("the demo customer has four accounts, and only Primary Checking is locked", () => {
  const accounts = newStore().listAccounts(customerId);
  expect(accounts).toHaveLength(4);
  expect(accounts.filter(({ isLocked }) => isLocked).map(({ name }) => name)).toEqual([
    "Primary Checking",
  ]);
});

test.each([
  ["another customer's account", { customerId: "cust_other" }, "unknown_account"],
  ["a locked source", { fromAccountId: "acc_checking_001" }, "account_locked"],
  ["the same account", { toAccountId: "acc_savings_001" }, "same_account"],
  ["nothing", { amountCents: 0 }, "invalid_amount"],
  ["a negative amount", { amountCents: -1 }, "invalid_amount"],
  ["a fraction of a cent", { amountCents: 0.5 }, "invalid_amount"],
  ["an amount that is no number", { amountCents: Number.NaN }, "invalid_amount"],
  ["an absurd amount", { amountCents: 1e15 }, "invalid_amount"],
  ["more than there is", { amountCents: 1_280_051 }, "insufficient_funds"],
])("a transfer of %s is refused and not stored", (_title, change, reason) => {
  const store = newStore();
  expect(store.prepareTransfer({ ...good, ...change })).toEqual({ status: "refused", reason });
  expect(store.listTransfers(customerId)).toEqual([]);
});

test("preparing moves no money; confirming moves it once", () => {
  const store = newStore();
  expect(store.prepareTransfer(good).status).toBe("pending");
  const cents = () => store.findAccount(customerId, "acc_savings_001")?.balanceCents;
  expect(cents()).toBe(1_280_050);
  expect(store.confirmTransfer(customerId, "transfer_1").status).toBe("confirmed");
  expect(store.confirmTransfer(customerId, "transfer_1").status).toBe("already_confirmed");
  expect(store.cancelTransfer(customerId, "transfer_1").status).toBe("already_confirmed");
  expect(cents()).toBe(1_275_050);
});

test("funds are checked again at confirmation", () => {
  const store = newStore();
  const half = { ...good, amountCents: 700_000 };
  store.prepareTransfer(half);
  store.prepareTransfer(half);
  store.confirmTransfer(customerId, "transfer_1");
  expect(store.confirmTransfer(customerId, "transfer_2")).toMatchObject({
    ...{ status: "refused", reason: "insufficient_funds" },
  });
});

test("another customer cannot confirm a transfer", () => {
  const store = newStore();
  store.prepareTransfer(good);
  expect(store.confirmTransfer("cust_other", "transfer_1").status).toBe("unknown_transfer");
});

test("a ticket is kept with its own id", () => {
  const store = newStore();
  store.createTicket({ customerId, issueType: "account_locked", urgency: "high" });
  expect(store.listTickets(customerId)).toEqual([
    { customerId, issueType: "account_locked", urgency: "high", ticketId: "ticket_1" },
  ]);
});
