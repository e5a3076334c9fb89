// The examples of README.md, each of its three parts.
import { AIMessage } from "@langchain/core/messages";
import { createHost } from "@toolrail/core";
import { fakeModel } from "langchain";
import { afterAll, expect, it, vi } from "vitest";
import { startBank } from "../../examples/bank-chatbot/src/bank-process.ts";
import { connectModel, toLanguageModel } from "../../examples/bank-chatbot/src/model.ts";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { aiSdkModel } from "../reading/models.ts";
import { aChain, aGuard, eachHopAStep } from "./pillars-ai-sdk.ts";
import { anAgent } from "./pillars-langgraph.ts";

const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

it("The example of a chain follows it inside one call of the model.", async () => {
  const bank = await startBank();
  started.defer(bank.close);
  const endpoint = await connectModel({});
  started.defer(endpoint.close);
  const model = toLanguageModel(endpoint);
  const prompt = "Please transfer 250 from my primary checking to my savings.";
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  started.defer(() => log.mockRestore());
  const { host, text } = await aChain(bank.url.href, { model, prompt });
  started.defer(() => host.close());
  expect(text).not.toBe("");
  expect(JSON.stringify(log.mock.calls)).toContain("account is currently locked");

  const { steps } = await eachHopAStep(host, { model, prompt });
  const called = steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName));
  expect(called).toEqual(["prepare_money_transfer", "request_agent_handoff"]);
});

it("The example of an agent makes each hop a turn.", async () => {
  const asked = { nextTool: { tool: "open_ticket", arguments: {} } };
  const { client } = await createTestServer({
    check: { answer: () => ({ content: [], _meta: asked }) },
    open_ticket: {},
  });
  const host = await createHost({ servers: { bank: client } });
  const model = fakeModel()
    .respondWithTools([{ name: "check", args: {}, id: "1" }])
    .respond(new AIMessage("Done."));
  const { messages } = await anAgent(host, model).invoke({
    messages: [{ role: "user", content: "Can you check it?" }],
  });
  const results = messages.filter((message) => message.getType() === "tool");
  expect(results.map(({ name }) => name)).toEqual(["check", "open_ticket"]);
});

it("The example of the guard makes one call, and none that its result asks for.", async () => {
  const { client, calls } = await createTestServer({
    get_balance: {
      definition: { outputSchema: { type: "object" } },
      answer: () => ({
        content: [],
        structuredContent: { balance: 12.34 },
        _meta: { nextTool: { tool: "close_account" } },
      }),
    },
    close_account: {},
  });
  const host = await createHost({ servers: { bank: client } });
  const model = aiSdkModel("get_balance");
  await aGuard(host, {
    model,
    prompt: "What is my balance?",
    secret: "a secret of the test, long enough to sign",
  });
  expect(calls).toEqual(["get_balance"]);
});
