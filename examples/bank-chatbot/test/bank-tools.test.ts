import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CallToolResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation/types.js";
import { beforeEach, expect, test } from "vitest";
import { DEMO_PIN } from "../src/bank/person-tools.ts";
import { createBankStore } from "../src/bank/store.ts";
import { connectInMemory } from "./connect-in-memory.ts";

const CHECKING = "acc_checking_001";
const SAVINGS = "acc_savings_001";
const CURRENT = "acc_current_001";
const transfer = { fromAccountId: SAVINGS, toAccountId: CURRENT, amount: 50 };
const reason = "The customer asked.";
const handoff = { customerId: "cust_demo_001", issueType: "account_locked", urgency: "high" };

/** A customer with a page, signed in, who is offered every tool. */
let client: Client;
beforeEach(async () => {
  client = await connectInMemory({ store: createBankStore(), signIn: true });
  await call("verify_customer_pin", { pin: DEMO_PIN });
});

/** The result as it came, without the client's own checks of it. */
function call(name: string, args: object = {}, meta?: Record<string, unknown>) {
  const params = { name, arguments: { ...args }, ...(meta && { _meta: meta }) };
  return client.request({ method: "tools/call", params }, CallToolResultSchema);
}

async function listNames(): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

test("Every tool has a title, a description, closed schemas, described fields and hints.", async () => {
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(11);
  for (const { title, description, inputSchema, outputSchema, annotations } of tools) {
    expect(title).toBeTruthy();
    expect(description?.length).toBeGreaterThan(30);
    for (const schema of [inputSchema, outputSchema]) {
      expect(schema).toMatchObject({ type: "object", additionalProperties: false });
      for (const field of Object.values(schema?.properties ?? {})) {
        expect(field).toHaveProperty("description", expect.stringMatching(/.{10,}/));
      }
    }
    expect(annotations).toMatchObject({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
    });
  }
  const appOnly = tools.filter(({ _meta }) => _meta).map(({ name }) => name);
  expect(appOnly.toSorted()).toEqual([
    ...["confirm_or_cancel_transfer", "schedule_call_back", "start_live_chat"],
    ...["verify_customer_pin", "welcome_customer"],
  ]);
});

test.each([
  ["list_accounts", {}],
  ["get_account_balance", { accountId: SAVINGS }],
  ["get_account_balance", { accountId: "acc_none" }],
  ["prepare_money_transfer", {}],
  ["prepare_money_transfer", { amount: 5 }],
  ["prepare_money_transfer", { amount: 5, fromAccountId: SAVINGS }],
  ["prepare_money_transfer", { ...transfer, fromAccountId: CHECKING }],
  ["prepare_money_transfer", transfer],
  ["prepare_money_transfer", { ...transfer, amount: 999_999 }],
  ["confirm_or_cancel_transfer", { transferId: "x", decision: "confirm" }],
  ["check_account_issue", { accountId: SAVINGS }],
  ["check_account_issue", { accountId: CHECKING }],
  ["check_account_issue", { accountId: "acc_none" }],
  ["initiate_human_handoff", handoff],
  ["initiate_human_handoff", { ...handoff, customerId: "cust_other" }],
  ["request_agent_handoff", { reason }],
  ["schedule_call_back", { reason }],
  ["start_live_chat", { reason }],
  ["welcome_customer", {}],
  ["verify_customer_pin", { pin: "9999" }],
])("The answer of %s to %j fits its output schema and says isError.", async (name, args) => {
  const { tools } = await client.listTools();
  const schema = tools.find((tool) => tool.name === name)?.outputSchema;
  const validate = new AjvJsonSchemaValidator().getValidator({ ...schema } as JsonSchemaType);
  const result = await call(name, args);
  expect(validate(result.structuredContent)).toMatchObject({ valid: true });
  expect(result.isError).toBeTypeOf("boolean");
});

test.each([
  ["A missing argument", "get_account_balance", {}],
  ["A wrong type", "prepare_money_transfer", { amount: "fifty" }],
  ["An undeclared argument", "list_accounts", { customerId: "cust_demo_001" }],
  ["A negative amount", "prepare_money_transfer", { ...transfer, amount: -1 }],
  ["A fraction of a cent", "prepare_money_transfer", { ...transfer, amount: 1.005 }],
  ["The same account twice", "prepare_money_transfer", { ...transfer, toAccountId: SAVINGS }],
  ["An unknown tool", "no_such_tool", {}],
])("%s is an error value, and the server continues.", async (_title, name, args) => {
  expect((await call(name, args)).isError).toBe(true);
  expect((await call("list_accounts")).isError).toBe(false);
});

test("A locked account is explained to the user alone, and the result names the next tool.", async () => {
  const locked = await call("prepare_money_transfer", { ...transfer, fromAccountId: CHECKING });
  expect(locked.content).toMatchObject([{ annotations: { audience: ["user"] } }]);
  expect(locked._meta).toMatchObject({ nextTool: { tool: "request_agent_handoff" } });
  const checked = await call("check_account_issue", { accountId: CHECKING });
  expect(checked._meta).toEqual({
    nextTool: { tool: "initiate_human_handoff", arguments: handoff },
  });
});

test("A missing account is asked for with a widget that calls the tool again.", async () => {
  const result = await call("prepare_money_transfer", { amount: 5, toAccountId: SAVINGS });
  expect(result._meta?.["toolrail.example/widget"]).toMatchObject({
    type: "options",
    options: expect.arrayContaining([{ value: CURRENT, label: "Everyday Current" }]),
    on_event: {
      tool: "prepare_money_transfer",
      parameters: { amount: 5, toAccountId: SAVINGS },
      map_input_to: "fromAccountId",
    },
  });
});

test("The customer of the request has no access to another customer's accounts.", async () => {
  const meta = { "toolrail.example/customer": { customerId: "cust_other" } };
  const list = await call("list_accounts", {}, meta);
  expect(list.structuredContent).toEqual({ accounts: [] });
  expect((await call("get_account_balance", { accountId: SAVINGS }, meta)).isError).toBe(true);
  expect((await call("prepare_money_transfer", transfer, meta)).isError).toBe(true);
});

test("A customer that cannot be read is refused, not taken for the demo customer.", async () => {
  const meta = { "toolrail.example/customer": "cust_demo_001" };
  expect((await call("list_accounts", {}, meta)).isError).toBe(true);
});

test("Without a page there is no sign-in, and the model reads that a person can help.", async () => {
  client = await connectInMemory({ store: createBankStore() });
  expect(await listNames()).toHaveLength(7);
  const offer = await call("request_agent_handoff", { reason });
  expect(offer.content).toEqual([{ type: "text", text: expect.stringContaining("by call-back") }]);
});

test("The account tools appear with the right PIN, and cannot be called before.", async () => {
  client = await connectInMemory({ store: createBankStore(), signIn: true });
  expect(await listNames()).toEqual([
    ...["request_agent_handoff", "schedule_call_back", "start_live_chat"],
    ...["welcome_customer", "verify_customer_pin"],
  ]);
  expect((await call("list_accounts")).isError).toBe(true);
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  await call("verify_customer_pin", { pin: DEMO_PIN });
  await changed;
  expect(await listNames()).toHaveLength(11);
});

test("The third wrong PIN leads to a person, and blocks the right one.", async () => {
  client = await connectInMemory({ store: createBankStore(), signIn: true });
  const guess = async (pin: string) => (await call("verify_customer_pin", { pin }))._meta;
  expect(await guess("9999")).toHaveProperty(["toolrail.example/widget", "type"], "number");
  await guess("9999");
  const person = { nextTool: { tool: "request_agent_handoff" } };
  expect(await guess("9999")).toMatchObject(person);
  expect(await guess(DEMO_PIN)).toMatchObject(person);
  expect(await listNames()).toHaveLength(5);
});
