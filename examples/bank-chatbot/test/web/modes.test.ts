import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEMO_CUSTOMER_ID } from "../../src/store/bank-database.ts";
import { DEMO_PIN } from "../../src/store/sign-ins.ts";
import type { Mode } from "../../src/web-server/protocol.ts";
import { startConversation } from "./conversation.ts";
import { type MortalBank, startMortalBank } from "./mortal-bank.ts";
import { startWeb, type WebOptions } from "./start-web.ts";

let bank: MortalBank;
beforeEach(async () => {
  bank = await startMortalBank();
});
afterEach(() => bank.close());

async function enter(mode: Mode, options: Partial<WebOptions> = {}) {
  const { url, modelCalls } = await startWeb({ bank: bank.url, ...options });
  const conversation = await startConversation(url, mode);
  await conversation.answer(DEMO_PIN);
  return { conversation, modelCalls };
}

const transfers = () => bank.store.listTransfers(DEMO_CUSTOMER_ID).map(({ status }) => status);
const tickets = () => bank.store.listTickets(DEMO_CUSTOMER_ID);

describe.each(["ai-sdk", "langgraph"] as const)("a conversation on %s", (mode) => {
  test("streams the model's words after the calls they are about", async () => {
    const { conversation, modelCalls } = await enter(mode);
    const stream = await conversation.say("Which accounts do I have?");
    expect(stream.indexOf("bank.list_accounts")).toBeLessThan(stream.indexOf("Your accounts"));
    expect(modelCalls).toHaveLength(2);
    const { usage } = (await conversation.view()).status;
    expect(usage).toMatchObject({ modelCalls: 2, tokens: expect.any(Number) });
    expect(usage.tokens).toBeGreaterThan(100);
  });

  test("remembers what was said, and what was chosen without the model", async () => {
    const { conversation } = await enter(mode);
    await conversation.say("Transfer 50 from savings to everyday current.");
    await conversation.answer("confirm");
    await conversation.say("Which accounts do I have?");
    await conversation.say("Thanks!");
    const words = (await conversation.view()).messages.at(-1)?.parts.map((part) => part);
    expect(JSON.stringify(words)).toContain("You are welcome.");
    expect(transfers()).toEqual(["confirmed"]);
  });

  test("follows a chain with one model call, and ends where all is for the user", async () => {
    const { conversation, modelCalls } = await enter(mode);
    await conversation.say("Transfer 250 from my primary checking to my savings.");
    expect(
      (await conversation.parts("hop")).slice(-2).map(({ data }) => [data.tool, data.by]),
    ).toEqual([
      ["bank.prepare_money_transfer", "model"],
      ["bank.request_agent_handoff", "chain"],
    ]);
    expect(await conversation.shown()).toContainEqual(expect.stringContaining("currently locked"));
    expect(modelCalls).toHaveLength(1);
  });

  test.each([
    [true, ["pending"]],
    [false, []],
  ])("waits for a person's word on a large transfer (%s)", async (approved, expected) => {
    const { conversation } = await enter(mode);
    await conversation.say("Transfer 5000 from savings to everyday current.");
    expect(transfers()).toEqual([]);
    const [approval] = await conversation.parts("approval");
    await conversation.take({ type: "approval", id: approval?.id ?? "", approved });
    expect(transfers()).toEqual(expected);
  });

  test.each([true, false])("waits for a person's word on a hop (%s)", async (approved) => {
    const { conversation, modelCalls } = await enter(mode, {
      authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
    });
    await conversation.say("My primary checking does not work.");
    const [approval] = await conversation.parts("approval");
    expect(approval?.data).toMatchObject({ title: "Initiate human handoff", state: "open" });
    expect(tickets()).toHaveLength(0);
    expect(modelCalls).toHaveLength(1);
    const decide = { type: "approval", id: approval?.id ?? "", approved } as const;
    await Promise.all([conversation.take(decide), conversation.take(decide)]);
    expect(tickets()).toHaveLength(approved ? 1 : 0);
    const checks = (await conversation.parts("hop")).filter(
      ({ data }) => data.tool === "bank.check_account_issue",
    );
    expect(checks).toHaveLength(1);
  });

  test("goes on with what the customer says instead of an answer to an approval", async () => {
    const { conversation } = await enter(mode);
    await conversation.say("Transfer 5000 from savings to everyday current.");
    await conversation.say("Which accounts do I have?");
    const [approval] = await conversation.parts("approval");
    expect(approval?.data.state).toBe("left");
    await conversation.take({ type: "approval", id: approval?.id ?? "", approved: true });
    expect(transfers()).toEqual([]);
    expect(await conversation.parts("notice")).toHaveLength(1);
    expect(JSON.stringify(await conversation.view())).toContain("Your accounts:");
  });

  test("stops when the customer says so, and goes on with the next sentence", async () => {
    const { conversation } = await enter(mode);
    const called = bank.hangAt("list_accounts");
    const turn = conversation.say("Which accounts do I have?");
    await called;
    await conversation.stop();
    await turn;
    const notices = (await conversation.parts("notice")).map(({ data }) => data.text);
    expect(notices).toEqual(["Stopped, as you asked."]);
    await conversation.say("Which accounts do I have?");
    expect(JSON.stringify(await conversation.view())).toContain("Your accounts:");
    expect(await conversation.parts("notice")).toHaveLength(1);
  });

  test("survives a bank that dies in mid-chain, and says so in a customer's words", async () => {
    const { conversation } = await enter(mode);
    bank.dieAt("initiate_human_handoff", "before");
    await conversation.say("My primary checking does not work.");
    const notices = (await conversation.parts("notice")).map(({ data }) => data);
    expect(notices).toEqual([
      {
        kind: "problem",
        text: expect.stringContaining("lost the connection"),
        retryText: "My primary checking does not work.",
      },
    ]);
    await bank.revive();
    await conversation.say("My primary checking does not work.");
    expect(tickets()).toHaveLength(1);
  });
});

describe("a conversation in guard mode", () => {
  test("makes one call for a query, and follows no nextTool", async () => {
    const { conversation } = await enter("guard");
    await conversation.say("My primary checking does not work.");
    const hops = (await conversation.parts("hop")).map(({ data }) => data.tool);
    expect(hops.filter((tool) => tool === "bank.check_account_issue")).toHaveLength(1);
    expect(hops).not.toContain("bank.initiate_human_handoff");
    expect(tickets()).toHaveLength(0);
  });

  test("asks a person before a call that the list says to ask about", async () => {
    const { conversation } = await enter("guard");
    await conversation.say("Transfer 50 from savings to everyday current.");
    expect(transfers()).toEqual([]);
    const [approval] = await conversation.parts("approval");
    await conversation.take({ type: "approval", id: approval?.id ?? "", approved: true });
    expect(transfers()).toEqual(["pending"]);
    await conversation.answer("confirm");
    expect(transfers()).toEqual(["confirmed"]);
  });

  test("goes on with what the customer says instead of an answer to an approval", async () => {
    const { conversation } = await enter("guard");
    await conversation.say("Transfer 50 from savings to everyday current.");
    await conversation.say("Which accounts do I have?");
    expect(JSON.stringify(await conversation.view())).toContain("Your accounts:");
    expect(transfers()).toEqual([]);
  });

  test("leaves everything as it is when the person declines", async () => {
    const { conversation } = await enter("guard");
    await conversation.say("Transfer 50 from savings to everyday current.");
    const [approval] = await conversation.parts("approval");
    await conversation.take({ type: "approval", id: approval?.id ?? "", approved: false });
    expect(transfers()).toEqual([]);
  });
});
