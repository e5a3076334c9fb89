import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation/types.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, connectHttp, connectStdio, startHttpProcess, texts } from "./bank-process.ts";
import { expectContract } from "./expect-contract.ts";

const CHECKING = "acc_checking_001";
const SAVINGS = "acc_savings_001";
const CURRENT = "acc_current_001";
const transfer = { fromAccountId: SAVINGS, toAccountId: CURRENT, amount: 50 };

/** One call for every kind of answer a tool has. */
const answers: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ["the list", "list_accounts", {}],
  ["a balance", "get_account_balance", { accountId: SAVINGS }],
  ["an unknown account", "get_account_balance", { accountId: "acc_none" }],
  ["a picker for the source", "prepare_money_transfer", { amount: 5 }],
  ["a picker for the target", "prepare_money_transfer", { amount: 5, fromAccountId: SAVINGS }],
  ["a locked account", "prepare_money_transfer", { ...transfer, fromAccountId: CHECKING }],
  ["a confirmation", "prepare_money_transfer", transfer],
  ["a refused transfer", "prepare_money_transfer", { ...transfer, amount: 999_999 }],
  ["an unknown source", "prepare_money_transfer", { ...transfer, fromAccountId: "acc_none" }],
  ["an unknown transfer", "confirm_or_cancel_transfer", { transferId: "x", decision: "confirm" }],
  ["an offer", "request_agent_handoff", { reason: "The customer asked." }],
  ["a healthy account", "check_account_issue", { accountId: SAVINGS }],
  ["a locked account", "check_account_issue", { accountId: CHECKING }],
  ["an account nobody has", "check_account_issue", { accountId: "acc_none" }],
  [
    "a ticket",
    "initiate_human_handoff",
    { customerId: "cust_demo_001", issueType: "account_locked", urgency: "high" },
  ],
  [
    "a ticket for somebody else",
    "initiate_human_handoff",
    { customerId: "cust_other", issueType: "account_locked", urgency: "low" },
  ],
];

async function startHttp() {
  const { url, stop } = await startHttpProcess();
  return { client: await connectHttp(url), stop };
}

async function startStdio() {
  const client = await connectStdio();
  return { client, stop: () => client.close() };
}

describe.each([
  ["HTTP", startHttp],
  ["stdio", startStdio],
])("the bank's tools over %s", (_transport, start) => {
  let client: Client;
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    ({ client, stop } = await start());
  });
  afterAll(() => stop());

  test("every tool has a title, a description, closed schemas and described fields", async () => {
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(7);
    for (const tool of tools) expectContract(tool);
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
    expect(destructive.map(({ name }) => name)).toEqual(["confirm_or_cancel_transfer"]);
  });

  test("required arguments are listed as required", async () => {
    const { tools } = await client.listTools();
    const required = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []]),
    );
    expect(required).toEqual({
      list_accounts: [],
      get_account_balance: ["accountId"],
      prepare_money_transfer: ["amount"],
      confirm_or_cancel_transfer: ["transferId", "decision"],
      request_agent_handoff: ["reason"],
      check_account_issue: ["accountId"],
      initiate_human_handoff: ["customerId", "issueType", "urgency"],
    });
  });

  test("only confirm_or_cancel_transfer is for the application alone", async () => {
    const { tools } = await client.listTools();
    const appOnly = tools.filter(({ _meta }) => _meta !== undefined);
    expect(appOnly.map(({ name, _meta }) => [name, _meta])).toEqual([
      ["confirm_or_cancel_transfer", { ui: { visibility: ["app"] } }],
    ]);
  });

  test.each(answers)(
    "%s of %s fits the output schema and says isError",
    async (_title, name, args) => {
      const { tools } = await client.listTools();
      const schema = tools.find((tool) => tool.name === name)?.outputSchema;
      const validate = new AjvJsonSchemaValidator().getValidator({ ...schema } as JsonSchemaType);
      const result = await call(client, name, args);
      expect(validate(result.structuredContent)).toMatchObject({ valid: true });
      expect(result.isError).toBeTypeOf("boolean");
    },
  );

  test.each([
    ["a missing argument", "get_account_balance", {}],
    ["a wrong type", "prepare_money_transfer", { amount: "fifty" }],
    ["an argument nobody declared", "list_accounts", { customerId: "cust_demo_001" }],
    ["a negative amount", "prepare_money_transfer", { ...transfer, amount: -1 }],
    ["an amount of nothing", "prepare_money_transfer", { ...transfer, amount: 0 }],
    ["an absurd amount", "prepare_money_transfer", { ...transfer, amount: 1e12 }],
    ["a fraction of a cent", "prepare_money_transfer", { ...transfer, amount: 1.005 }],
    ["the same account twice", "prepare_money_transfer", { ...transfer, toAccountId: SAVINGS }],
    ["a tool nobody has", "no_such_tool", {}],
  ])("%s is an isError value, and the server goes on", async (_title, name, args) => {
    expect((await call(client, name, args)).isError).toBe(true);
    expect((await call(client, "list_accounts")).isError).toBe(false);
  });

  test("a transfer from a locked account is explained to the user and names the next tool", async () => {
    const result = await call(client, "prepare_money_transfer", {
      ...transfer,
      fromAccountId: CHECKING,
    });
    expect(result.content).toMatchObject([{ annotations: { audience: ["user"] } }]);
    expect(texts(result)).toContain("locked");
    const reason = `Customer attempted to transfer from locked account: Primary Checking (${CHECKING})`;
    expect(result._meta).toEqual({
      nextTool: { tool: "request_agent_handoff", arguments: { reason } },
    });
  });

  test("a check of a locked account names the tool that opens a ticket", async () => {
    const result = await call(client, "check_account_issue", { accountId: CHECKING });
    expect(texts(result)).toContain("requires specialist assistance");
    const args = { customerId: "cust_demo_001", issueType: "account_locked", urgency: "high" };
    expect(result._meta).toEqual({
      nextTool: { tool: "initiate_human_handoff", arguments: args },
    });
  });

  test("a missing account is asked for with a picker and no text", async () => {
    const result = await call(client, "prepare_money_transfer", {
      amount: 5,
      toAccountId: SAVINGS,
    });
    expect(result.content).toEqual([]);
    expect(result.structuredContent).toEqual({ status: "needs_input", missing: "fromAccountId" });
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

  test("a balance is for the user alone", async () => {
    const result = await call(client, "get_account_balance", { accountId: "acc_vacation_001" });
    expect(result.content).toEqual([
      {
        type: "text",
        text: "Your Vacation Fund balance is $1,500.00.",
        annotations: { audience: ["user"] },
      },
    ]);
    expect(result.structuredContent).toMatchObject({ status: "ok", balanceCents: 150_000 });
  });

  test("the customer of the request has no access to another customer's accounts", async () => {
    const meta = { "toolrail.example/customer": { customerId: "cust_other" } };
    const list = await call(client, "list_accounts", {}, meta);
    expect(list.structuredContent).toEqual({ accounts: [] });
    const balance = await call(client, "get_account_balance", { accountId: SAVINGS }, meta);
    expect(balance.structuredContent).toMatchObject({ status: "unknown_account" });
    expect((await call(client, "prepare_money_transfer", transfer, meta)).isError).toBe(true);
  });

  test("a customer context that cannot be read is refused, not taken for the demo customer", async () => {
    const meta = { "toolrail.example/customer": "cust_demo_001" };
    expect((await call(client, "list_accounts", {}, meta)).isError).toBe(true);
  });
});
