import { createMCPClient } from "@ai-sdk/mcp";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type OfflineModel, startOfflineModel } from "@toolrail/example-offline-model";
import { generateText, isStepCount, type ToolSet } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bankRules } from "../src/bank-rules.ts";
import { startHttpProcess } from "./bank-process.ts";

let offline: OfflineModel;
let tools: ToolSet;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  offline = await startOfflineModel({ rules: bankRules });
  const bank = await startHttpProcess();
  const client = await createMCPClient({ transport: { type: "http", url: bank.url } });
  tools = await client.tools();
  stop = () => Promise.all([client.close(), bank.stop(), offline.close()]);
});
afterAll(() => stop());

async function say(prompt: string) {
  const model = createOpenAICompatible({ name: "offline", baseURL: offline.url })("rules");
  const { steps, text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(5) });
  const calls = steps.flatMap((step) => step.toolCalls);
  return { text, calls: calls.map(({ toolName, input }) => [toolName, input]) };
}

const transfer = "prepare_money_transfer";
const [checking, savings, current] = ["acc_checking_001", "acc_savings_001", "acc_current_001"];

describe("what the user says", () => {
  test.each([
    ["Which accounts do I have?", "list_accounts", {}],
    ["What is the balance of my savings?", "get_account_balance", { accountId: savings }],
    ["the current balance of my savings?", "get_account_balance", { accountId: savings }],
    ["how much is in my vacation fund", "get_account_balance", { accountId: "acc_vacation_001" }],
    [
      "Transfer 50 from savings to everyday current",
      transfer,
      { amount: 50, fromAccountId: savings, toAccountId: current },
    ],
    [
      "please move $1,250.50 to my curent account from my svaings",
      transfer,
      { amount: 1250.5, fromAccountId: savings, toAccountId: current },
    ],
    ["I want to transfer 20", transfer, { amount: 20 }],
    ["send 20 to acc_current_001", transfer, { amount: 20, toAccountId: current }],
    ["Can you check my savings account?", "check_account_issue", { accountId: savings }],
    [
      "I want to talk to a human",
      "request_agent_handoff",
      { reason: "The customer asked to speak to a person." },
    ],
  ])("%s", async (sentence, name, args) => {
    expect((await say(sentence)).calls).toEqual([[name, args]]);
  });

  test("the amount may come in a second message", async () => {
    const model = createOpenAICompatible({ name: "offline", baseURL: offline.url })("rules");
    const messages = [
      { role: "user" as const, content: "move money from savings to current" },
      { role: "assistant" as const, content: "How much should I transfer?" },
      { role: "user" as const, content: "75 dollars" },
    ];
    const { toolCalls } = await generateText({ model, tools, messages });
    const input = { amount: 75, fromAccountId: savings, toAccountId: current };
    expect(toolCalls).toMatchObject([{ toolName: transfer, input }]);
  });

  test.each([
    ["Hello", "I can list your accounts"],
    ["transfer 1e9 from savings to current", "How much should I transfer?"],
    ["what can you do?", "prepare a transfer"],
    ["move money from savings to current", "How much"],
    ["what is my balance?", "Of which account"],
    ["my account is blocked", "Which account"],
    ["yes, confirm", "use the buttons"],
    ["sing me a song", "rule-based stand-in"],
  ])("%s – is answered without a tool", async (sentence, part) => {
    const { text, calls } = await say(sentence);
    expect(calls).toEqual([]);
    expect(text).toContain(part);
  });
});

describe("what it makes of plain tool results", () => {
  test("accounts become a short list", async () => {
    const { text } = await say("Which accounts do I have?");
    expect(text).toContain("- Vacation Fund (acc_vacation_001)");
  });

  test("a locked transfer is relayed to the handoff tool by the model itself", async () => {
    const { calls, text } = await say("Transfer 50 from primary checking to savings");
    expect(calls).toEqual([
      [transfer, { amount: 50, fromAccountId: checking, toAccountId: savings }],
      ["request_agent_handoff", { reason: "The customer's Primary Checking is locked." }],
    ]);
    expect(text).toContain("call-back");
  });

  test("a lock that needs a specialist is relayed with arguments read from the text", async () => {
    const { calls, text } = await say("My checking account doesn't work");
    expect(calls).toEqual([
      ["check_account_issue", { accountId: checking }],
      [
        "initiate_human_handoff",
        { customerId: "cust_demo_001", issueType: "account_locked", urgency: "high" },
      ],
    ]);
    expect(text).toMatch(/Your ticket is ticket_[\w-]+\./);
  });

  test("an answer without text is called what it is", async () => {
    expect((await say("I want to transfer 20")).text).toContain("nothing that I can read");
  });
});

describe("what it makes of chained results", () => {
  async function answerTo(toolName: string, content: string) {
    const call = { id: "1", type: "function", function: { name: toolName, arguments: "{}" } };
    const messages = [
      { role: "user", content: "Transfer 50 from checking to savings" },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "1", content },
    ];
    const offered = Object.keys(tools).map((name) => ({ type: "function", function: { name } }));
    const body = JSON.stringify({ messages, tools: offered });
    const response = await fetch(`${offline.url}/chat/completions`, { method: "POST", body });
    const { choices } = (await response.json()) as { choices: { message: object }[] };
    return choices[0]?.message;
  }

  test.each([
    "Your account is locked.\nA customer service agent can help you: by call-back, or in a chat now.",
    '{"status":"handoff_offered","options":["call_back","chat"],"reason":"locked account"}',
    'An agent can help.\n{"status":"handoff_offered","options":["chat"],"reason":"locked"}',
  ])("a handoff that came with the result is only answered: %s", async (content) => {
    const message = await answerTo(transfer, content);
    expect(message).toMatchObject({ content: expect.stringContaining("call-back, or a chat") });
    expect(message).not.toHaveProperty("tool_calls");
  });

  test("content that only the user saw is said to be so", async () => {
    const message = await answerTo("get_account_balance", "(The result was shown to the user.)");
    expect(message).toMatchObject({ content: expect.stringContaining("shown you") });
  });
});
