import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { beforeEach, expect, test } from "vitest";
import { type Customer, createBankStore, DEMO_CUSTOMER_ID } from "../src/bank/store.ts";
import { connectInMemory } from "./start-conversation.ts";

const CHECKING = "acc_checking_001";
const SAVINGS = "acc_savings_001";
const CURRENT = "acc_current_001";
const transfer = { fromAccountId: SAVINGS, toAccountId: CURRENT, amount: 50 };
const reason = "The customer asked.";
const handoff = { customerId: DEMO_CUSTOMER_ID, issueType: "account_locked", urgency: "high" };

let customer: Customer;
let client: Client;
beforeEach(async () => {
  const store = createBankStore();
  customer = store.openFor(DEMO_CUSTOMER_ID);
  client = await connectInMemory({ store, hasButtons: true });
  // Once it has listed a tool, the client throws if an answer does not fit the tool's output schema.
  await client.listTools();
});

async function call(name: string, args: object = {}, customer?: unknown) {
  const _meta = customer ? { "toolrail.example/customer": customer } : undefined;
  const result = await client.callTool({ name, arguments: { ...args }, _meta });
  expect(result.isError).toBeTypeOf("boolean");
  return result as CallToolResult;
}

/** Prepares a transfer, and returns how to settle it. */
async function prepare(args: object = transfer) {
  const { structuredContent } = await call("prepare_money_transfer", args);
  return async (decision: "confirm" | "cancel", customer?: unknown) => {
    const settlement = { transferId: structuredContent?.transferId, decision };
    const settled = await call("confirm_or_cancel_transfer", settlement, customer);
    return settled.structuredContent;
  };
}

test("Every tool has a title, a description, closed schemas, described fields and hints.", async () => {
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(9);
  for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
    expect(title).toBeTruthy();
    expect(description?.length).toBeGreaterThan(30);
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      for (const field of Object.values(schema?.properties ?? {})) {
        expect(field).toHaveProperty("description", expect.stringMatching(/.{10,}/));
      }
    }
    const isSaid = expect.any(Boolean);
    expect(annotations).toMatchObject({ readOnlyHint: isSaid, destructiveHint: isSaid });
  }
  const appOnly = tools.filter(({ _meta }) => _meta).map(({ name }) => name);
  const controls = ["confirm_or_cancel_transfer", "schedule_call_back", "start_live_chat"];
  expect(appOnly.toSorted()).toEqual(controls);
});

test.each([
  ["get_account_balance", { accountId: "acc_none" }, "unknown_account"],
  ["get_account_balance", { accountId: SAVINGS }, "ok"],
  ["check_account_issue", { accountId: "acc_none" }, "unknown_account"],
  ["check_account_issue", { accountId: SAVINGS }, "resolved"],
  ["check_account_issue", { accountId: CHECKING }, "requires_specialist"],
  ["prepare_money_transfer", {}, "needs_input"],
  ["prepare_money_transfer", { amount: 5 }, "needs_input"],
  ["prepare_money_transfer", { amount: 5, fromAccountId: SAVINGS }, "needs_input"],
  ["prepare_money_transfer", transfer, "awaiting_confirmation"],
  ["confirm_or_cancel_transfer", { transferId: "x", decision: "confirm" }, "unknown_transfer"],
  ["initiate_human_handoff", handoff, "ticket_created"],
  ["initiate_human_handoff", { ...handoff, customerId: "cust_other" }, "refused"],
  ["request_agent_handoff", { reason }, "handoff_offered"],
  ["schedule_call_back", { reason }, "scheduled"],
  ["start_live_chat", { reason }, "queued"],
])("%s answers %j with %s, as its output schema says.", async (name, args, status) => {
  expect((await call(name, args)).structuredContent).toMatchObject({ status });
});

test.each([
  ["A missing argument", "get_account_balance", {}],
  ["A wrong type", "prepare_money_transfer", { amount: "fifty" }],
  ["An undeclared argument", "list_accounts", { customerId: DEMO_CUSTOMER_ID }],
  ["An unknown tool", "no_such_tool", {}],
  ["A negative amount", "prepare_money_transfer", { ...transfer, amount: -1 }],
  ["An absurd amount", "prepare_money_transfer", { ...transfer, amount: 1e15 }],
  ["Nothing", "prepare_money_transfer", { ...transfer, amount: 0 }],
  ["Half a cent", "prepare_money_transfer", { ...transfer, amount: 1.005 }, "invalid_amount"],
  ["One account", "prepare_money_transfer", { ...transfer, toAccountId: SAVINGS }, "same_account"],
  ["No account", "prepare_money_transfer", { ...transfer, toAccountId: "x" }, "unknown_account"],
  ["Too much", "prepare_money_transfer", { ...transfer, amount: 12_800.51 }, "insufficient_funds"],
] as const)("%s is an error value, and the server continues.", async (...given) => {
  const [_title, name, args, why] = given;
  const { isError, structuredContent } = await call(name, args);
  expect({ isError, why: structuredContent?.reason }).toEqual({ isError: true, why });
  expect(customer.listTransfers()).toEqual([]);
  expect((await call("list_accounts")).isError).toBe(false);
});

test("Preparing a transfer moves no money, and confirming moves it once.", async () => {
  const cents = () => customer.findAccount(SAVINGS)?.balanceCents;
  const settle = await prepare();
  expect(cents()).toBe(1_280_050);
  expect(await settle("confirm")).toMatchObject({ status: "confirmed" });
  expect(await settle("confirm")).toMatchObject({ status: "already_confirmed" });
  expect(await settle("cancel")).toMatchObject({ status: "already_confirmed" });
  expect(cents()).toBe(1_275_050);
});

test("Funds are checked again at confirmation.", async () => {
  const half = { ...transfer, amount: 7_000 };
  const [first, second] = [await prepare(half), await prepare(half)];
  await first("confirm");
  const refused = { status: "refused", reason: "insufficient_funds" };
  expect(await second("confirm")).toMatchObject(refused);
});

test("A locked account is explained to the user alone, and the result names the next tool.", async () => {
  const locked = await call("prepare_money_transfer", { ...transfer, fromAccountId: CHECKING });
  expect(locked.content).toMatchObject([{ annotations: { audience: ["user"] } }]);
  expect(locked._meta).toMatchObject({ nextTool: { tool: "request_agent_handoff" } });
  expect(customer.listTransfers()).toEqual([]);
  const checked = await call("check_account_issue", { accountId: CHECKING });
  const nextTool = { tool: "initiate_human_handoff", arguments: handoff };
  expect(checked._meta).toEqual({ nextTool });
});

test("A missing account is asked for with a widget that calls the tool again.", async () => {
  const parameters = { amount: 5, toAccountId: SAVINGS };
  const result = await call("prepare_money_transfer", parameters);
  const again = {
    tool: "prepare_money_transfer",
    arguments: { ...parameters, fromAccountId: CURRENT },
  };
  expect(result._meta?.["toolrail.example/widget"]).toMatchObject({
    kind: "options",
    choices: expect.arrayContaining([{ label: "Everyday Current", call: again }]),
  });
});

test("The customer of the request has no access to another customer's accounts.", async () => {
  const other = { customerId: "cust_other" };
  const settle = await prepare();
  expect(await settle("confirm", other)).toMatchObject({ status: "unknown_transfer" });
  const list = await call("list_accounts", {}, other);
  expect(list.structuredContent).toEqual({ accounts: [] });
  expect((await call("get_account_balance", { accountId: SAVINGS }, other)).isError).toBe(true);
  expect((await call("prepare_money_transfer", transfer, other)).isError).toBe(true);
});

test("A customer that cannot be read is refused, not taken for the demo customer.", async () => {
  expect((await call("list_accounts", {}, DEMO_CUSTOMER_ID)).isError).toBe(true);
});

test("Without buttons, the model reads that a person can help.", async () => {
  client = await connectInMemory({ store: createBankStore() });
  expect((await client.listTools()).tools).toHaveLength(7);
  const offer = await call("request_agent_handoff", { reason });
  expect(offer.content).toEqual([{ type: "text", text: expect.stringContaining("by call-back") }]);
});
