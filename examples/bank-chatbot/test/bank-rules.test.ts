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
  const model = toLanguageModel(endpoint);
  const { steps, text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(5) });
  const calls = steps.flatMap((step) => step.toolCalls);
  return { text, calls: calls.map(({ toolName, input }) => [toolName, input]) };
}

const [checking, savings, current] = ["acc_checking_001", "acc_savings_001", "acc_current_001"];
const vacation = "acc_vacation_001";

const accounts = ["list_accounts", {}] as const;
const balance = (accountId?: string) => ["get_account_balance", { accountId }] as const;
const check = (accountId?: string) => ["check_account_issue", { accountId }] as const;
const transfer = (args: object) => ["prepare_money_transfer", args] as const;
const person = (reason: string) => ["request_agent_handoff", { reason }] as const;
const specialist = { customerId: "cust_demo_001", issueType: "account_locked", urgency: "high" };

test.each([
  ["Which accounts do I have?", [accounts]],
  ["the current balance of my savings?", [balance(savings)]],
  ["how much is in my vacation fund", [balance(vacation)]],
  [
    "please move $1,250.50 to my current account from my savings",
    [transfer({ amount: 1250.5, fromAccountId: savings, toAccountId: current })],
  ],
  ["send 20 to acc_current_001", [transfer({ amount: 20, toAccountId: current })]],
  ["transfer 1e9 to current", [transfer({ toAccountId: current })]],
  ["Can you check my savings account?", [check(savings)]],
  ["I want to talk to a human", [person("The customer asked to speak to a person.")]],
  // Two calls in one answer.
  [
    "What are the balances of my savings and my vacation fund?",
    [balance(savings), balance(vacation)],
  ],
  // What a result asks for next, the model itself relays.
  [
    "Transfer 50 from primary checking to savings",
    [
      transfer({ amount: 50, fromAccountId: checking, toAccountId: savings }),
      person("The customer's Primary Checking is locked."),
    ],
    "call-back",
  ],
  [
    "My checking account doesn't work",
    [check(checking), ["initiate_human_handoff", specialist] as const],
    "T-1001",
  ],
  ["Hello", [], "list your accounts"],
  ["what is my balance?", [], "Of which account"],
  ["my account is blocked", [], "Which account"],
  ["yes, confirm", [], "buttons"],
  ["sing me a song", [], "none of them fits"],
])('"%s" calls the tools that it needs.', async (sentence, calls, part = "") => {
  const said = await say(sentence);
  expect(said.calls).toEqual(calls);
  expect(said.text).toContain(part);
});
