import { createMCPClient } from "@ai-sdk/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { generateText, isStepCount, type ToolSet } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBankServer } from "../src/bank/server.ts";
import { createBankStore } from "../src/bank/store.ts";
import { connectModel, type ModelEndpoint, toLanguageModel } from "../src/model.ts";

let endpoint: ModelEndpoint;
let tools: ToolSet;
let close: () => Promise<unknown>;

beforeAll(async () => {
  endpoint = await connectModel({});
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createBankServer({ store: createBankStore() }).connect(theirs);
  const client = await createMCPClient({ transport: ours });
  tools = await client.tools();
  close = () => Promise.all([client.close(), endpoint.close()]);
});
afterAll(() => close());

async function say(prompt: string) {
  const { steps, text } = await generateText({
    model: toLanguageModel(endpoint),
    ...{ tools, prompt },
    stopWhen: isStepCount(5),
  });
  const calls = steps.flatMap((step) => step.toolCalls);
  return { text, calls: calls.map(({ toolName, input }) => [toolName, input]) };
}

const transfer = "prepare_money_transfer";
const [checking, savings, current] = ["acc_checking_001", "acc_savings_001", "acc_current_001"];

test.each([
  ["Which accounts do I have?", "list_accounts", {}],
  ["the current balance of my savings?", "get_account_balance", { accountId: savings }],
  ["how much is in my vacation fund", "get_account_balance", { accountId: "acc_vacation_001" }],
  [
    "please move $1,250.50 to my current account from my savings",
    transfer,
    { amount: 1250.5, fromAccountId: savings, toAccountId: current },
  ],
  ["send 20 to acc_current_001", transfer, { amount: 20, toAccountId: current }],
  ["transfer 1e9 to current", transfer, { toAccountId: current }],
  ["Can you check my savings account?", "check_account_issue", { accountId: savings }],
  [
    "I want to talk to a human",
    "request_agent_handoff",
    { reason: "The customer asked to speak to a person." },
  ],
])('"%s" calls a tool.', async (sentence, name, args) => {
  expect((await say(sentence)).calls).toEqual([[name, args]]);
});

test("A question about two balances becomes two calls in one answer.", async () => {
  const { calls } = await say("What are the balances of my savings and my vacation fund?");
  expect(calls.map(([, args]) => args)).toEqual([
    { accountId: savings },
    { accountId: "acc_vacation_001" },
  ]);
});

test.each([
  ["Hello", "I can list your accounts"],
  ["what is my balance?", "Of which account"],
  ["my account is blocked", "Which account"],
  ["yes, confirm", "use the buttons"],
  ["sing me a song", "none of them fits"],
])('"%s" is answered without a tool.', async (sentence, part) => {
  const { text, calls } = await say(sentence);
  expect(calls).toEqual([]);
  expect(text).toContain(part);
});

test("A locked transfer is relayed to the handoff tool by the model itself.", async () => {
  const { calls, text } = await say("Transfer 50 from primary checking to savings");
  expect(calls).toEqual([
    [transfer, { amount: 50, fromAccountId: checking, toAccountId: savings }],
    ["request_agent_handoff", { reason: "The customer's Primary Checking is locked." }],
  ]);
  expect(text).toContain("call-back");
});

test("A lock that needs a specialist is relayed with arguments taken from the text.", async () => {
  const { calls, text } = await say("My checking account doesn't work");
  expect(calls).toEqual([
    ["check_account_issue", { accountId: checking }],
    [
      "initiate_human_handoff",
      { customerId: "cust_demo_001", issueType: "account_locked", urgency: "high" },
    ],
  ]);
  expect(text).toContain("Your ticket is T-1001.");
});
