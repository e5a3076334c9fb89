import { expect, test } from "vitest";
import { createBankStore } from "../src/bank/store.ts";

const customerId = "cust_demo_001";
const good = {
  ...{ customerId, fromAccountId: "acc_savings_001", toAccountId: "acc_current_001" },
  ...{ amountCents: 5_000, memo: "" },
};

function newStore() {
  let count = 0;
  return createBankStore(() => String(++count));
}

test.each([
  ["another customer's account", { customerId: "cust_other" }, "unknown_account"],
  ["a locked source", { fromAccountId: "acc_checking_001" }, "account_locked"],
  ["the same account", { toAccountId: "acc_savings_001" }, "same_account"],
  ["nothing", { amountCents: 0 }, "invalid_amount"],
  ["a fraction of a cent", { amountCents: 0.5 }, "invalid_amount"],
  ["an absurd amount", { amountCents: 1e15 }, "invalid_amount"],
  ["more than there is", { amountCents: 1_280_051 }, "insufficient_funds"],
])("A transfer of %s is refused and not stored.", (_title, change, reason) => {
  const store = newStore();
  expect(store.prepareTransfer({ ...good, ...change })).toEqual({ status: "refused", reason });
  expect(store.listTransfers(customerId)).toEqual([]);
});

test("Preparing moves no money; confirming moves it once.", () => {
  const store = newStore();
  expect(store.prepareTransfer(good).status).toBe("pending");
  const settle = (decision: "confirm" | "cancel") =>
    store.settleTransfer({ customerId, transferId: "transfer_1", decision }).status;
  const cents = () => store.findAccount(customerId, "acc_savings_001")?.balanceCents;
  expect(cents()).toBe(1_280_050);
  expect(settle("confirm")).toBe("confirmed");
  expect(settle("confirm")).toBe("already_confirmed");
  expect(settle("cancel")).toBe("already_confirmed");
  expect(cents()).toBe(1_275_050);
});

test("Funds are checked again at confirmation.", () => {
  const store = newStore();
  const half = { ...good, amountCents: 700_000 };
  const settle = (transferId: string) =>
    store.settleTransfer({ customerId, transferId, decision: "confirm" });
  store.prepareTransfer(half);
  store.prepareTransfer(half);
  settle("transfer_1");
  expect(settle("transfer_2")).toEqual({ status: "refused", reason: "insufficient_funds" });
});

test("Another customer cannot confirm a transfer.", () => {
  const store = newStore();
  store.prepareTransfer(good);
  const settlement = { transferId: "transfer_1", decision: "confirm" } as const;
  expect(store.settleTransfer({ ...settlement, customerId: "cust_other" }).status).toBe(
    "unknown_transfer",
  );
});
