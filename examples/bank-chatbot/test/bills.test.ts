import { expect, test } from "vitest";
import { createBankStore, DEMO_CUSTOMER_ID } from "../src/bank-store.ts";
import { createBillStore } from "../src/bill-store.ts";
import { connectInMemory } from "./connect-in-memory.ts";
import { decide, entriesOf, say, startConversation } from "./start-conversation.ts";

const ROOF = "Hill Street Roofers";
const SMALL = ["Blue Line Telephone", "City Power"];

async function askToPay(mode: "ai-sdk" | "langgraph") {
  const store = createBankStore();
  const bills = createBillStore(store);
  const connect = () => connectInMemory({ store, bills, signIn: true });
  const { conversation, modelCalls } = await startConversation(mode, { connect });
  await say(conversation, "Please pay my three open bills.");
  const payees = () => bills.listPaid(DEMO_CUSTOMER_ID).map(({ payee }) => payee);
  const paid = () => payees().toSorted();
  const words = () => entriesOf(conversation, "words").at(-1)?.text;
  const calls = () => entriesOf(conversation, "hop").filter(({ tool }) => /bill/.test(tool));
  return { store, conversation, modelCalls, paid, words, calls };
}

test("One pipe pays three bills, and waits for the customer at the large one.", async () => {
  const { store, conversation, modelCalls, paid, words, calls } = await askToPay("ai-sdk");
  expect(paid()).toEqual(SMALL);
  expect(entriesOf(conversation, "approval")).toMatchObject([
    {
      ...{ title: "Pay bill", state: "open", reason: "The bill is large." },
      details: [
        { name: "Payee", value: ROOF },
        { name: "Amount", value: "$640.00" },
      ],
    },
  ]);
  await Promise.all([decide(conversation, true), decide(conversation, true)]);
  expect(paid()).toEqual([...SMALL, ROOF]);
  expect(calls().map(({ tool, by, state }) => `${tool} ${by} ${state}`)).toEqual([
    "bank.list_bills model done",
    ...Array.from({ length: 3 }, () => "bank.pay_bill pipe done"),
  ]);
  expect(words()).toMatch(/^These bills are paid:(\n- .+: \$[\d.]+){3}$/);
  expect(modelCalls).toHaveLength(3);
  const { balanceCents } = store.findAccount(DEMO_CUSTOMER_ID, "acc_savings_001") ?? {};
  expect(balanceCents).toBe(1_280_050 - 8_420 - 64_000 - 4_500);
});

test("A bill that the customer declines is not paid, and the model knows it.", async () => {
  const { conversation, paid, words } = await askToPay("ai-sdk");
  await decide(conversation, false);
  expect(paid()).toEqual(SMALL);
  expect(words()).toMatch(/^I could not pay all of your bills: .*not approved/);
});

test("Without pipes the model makes a call for each bill, and the large one waits in the same way.", async () => {
  const { conversation, modelCalls, paid } = await askToPay("langgraph");
  expect(paid()).not.toContain(ROOF);
  expect(entriesOf(conversation, "approval")).toMatchObject([{ reason: "The bill is large." }]);
  await decide(conversation, true);
  expect(paid()).toEqual([...SMALL, ROOF]);
  expect(modelCalls).toHaveLength(3);
});

test("If the customer declines one of several calls, the model names the bills that were paid.", async () => {
  const { conversation, paid, words } = await askToPay("langgraph");
  await decide(conversation, false);
  expect(paid()).toEqual(SMALL);
  expect(words()).toMatch(/^These bills are paid:(\n- .+){2}$/);
  expect(words()).not.toContain(ROOF);
});

test("A bill is paid once, and only as billed.", () => {
  const bills = createBillStore(createBankStore());
  const [bill] = bills.listOpen(DEMO_CUSTOMER_ID);
  if (!bill) throw new Error("The demo has no bill.");
  expect(bills.pay({ ...bill, amountCents: 1 })).toBe("not_as_billed");
  expect(bills.pay({ ...bill, payee: "Somebody else" })).toBe("not_as_billed");
  expect(bills.pay({ ...bill, customerId: "cust_demo_002" })).toBe("unknown_bill");
  expect(bills.pay(bill)).toBeUndefined();
  expect(bills.pay(bill)).toBe("already_paid");
  expect(bills.listOpen(DEMO_CUSTOMER_ID)).toHaveLength(2);
});
