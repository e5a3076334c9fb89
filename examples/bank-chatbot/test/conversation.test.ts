import { createHost } from "@toolrail/core";
import { runPipe } from "@toolrail/core/pipe";
import { describe, expect, onTestFinished, test } from "vitest";
import { askBeforeLargeTransfers } from "../src/agents/agent.ts";
import { createBankStore } from "../src/bank/store.ts";
import { createConversation } from "../src/conversation/create-conversation.ts";
import { connectInMemory, startConversation, startParts } from "./start-conversation.ts";

const LARGE = "Transfer 5000 from savings to everyday current.";
const SMALL = "Transfer 50 from savings to everyday current.";
const FROM_LOCKED = "Transfer 250 from my primary checking to my savings.";
const LOCKED = "My primary checking does not work.";

describe.each(["ai-sdk", "langgraph"] as const)("A conversation on %s", (mode) => {
  test("streams the model's words after the calls they are about.", async () => {
    const { conversation, modelCalls, say, entriesOf } = await startConversation(mode);
    await say("Which accounts do I have?");
    const types = conversation.view().entries.map(({ type }) => type);
    expect(types.slice(-4).filter((type) => type !== "model")).toEqual(["hop", "words"]);
    expect(entriesOf("words").at(-1)?.text).toContain("High Yield Savings");
    expect(modelCalls).toHaveLength(2);
    for (const call of entriesOf("model")) {
      expect(call).toMatchObject({ state: "done", tokens: expect.any(Number) });
    }
  });

  test("remembers what was written, and what was chosen without the model.", async () => {
    const { transfers, say, answer, entriesOf } = await startConversation(mode);
    await say(SMALL);
    await answer("Confirm");
    expect(transfers()).toEqual(["confirmed"]);
    await say("Which accounts do I have?");
    await say("Thanks!");
    expect(entriesOf("words").at(-1)?.text).toBe("You are welcome.");
  });

  test("follows a chain, and asks the model only once if everything is for the user.", async () => {
    const { modelCalls, say, entriesOf } = await startConversation(mode);
    await say(FROM_LOCKED);
    expect(entriesOf("hop").slice(-2)).toMatchObject([
      { tool: "bank.prepare_money_transfer", by: "model", state: "done" },
      { tool: "bank.request_agent_handoff", by: "chain", state: "done" },
    ]);
    expect(entriesOf("shown").at(-2)?.text).toContain("locked");
    expect(modelCalls).toHaveLength(1);
  });

  test.each([true, false])("waits for approval of a hop (%s).", async (approved) => {
    const { customer, say, decide, entriesOf, approvals } = await startConversation(mode, {
      authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
    });
    const tickets = () => customer.listTickets();
    await say(LOCKED);
    const asked = { title: "Initiate human handoff", state: "open" };
    expect(approvals()).toMatchObject([asked]);
    expect(tickets()).toHaveLength(0);
    await decide(approved);
    expect(tickets()).toHaveLength(approved ? 1 : 0);
    const calls = entriesOf("hop").map(({ tool }) => tool);
    expect(calls.filter((tool) => tool === "bank.check_account_issue")).toHaveLength(1);
  });

  test("survives a bank that is gone.", async () => {
    const { clients, say, entriesOf } = await startConversation(mode);
    await clients[0]?.close();
    await say(LOCKED);
    expect(entriesOf("hop").at(-1)).toMatchObject({ state: "error" });
    const words = entriesOf("words").length;
    await say("Hello");
    expect(entriesOf("words")).toHaveLength(words + 1);
  });
});

describe.each(["ai-sdk", "langgraph", "guard"] as const)("A conversation on %s", (mode) => {
  test.each([true, false])("asks once about what needs approval (%s).", async (approved) => {
    const { transfers, say, decide, entriesOf, questions, approvals } =
      await startConversation(mode);
    await say(mode === "guard" ? SMALL : LARGE);
    await say("Which accounts do I have?");
    expect(entriesOf("notice")).toHaveLength(1);
    expect(transfers()).toEqual([]);
    const controls = questions().length;
    await Promise.all([decide(approved), decide(approved)]);
    expect(transfers()).toEqual(approved ? ["confirmed"] : []);
    expect(questions()).toHaveLength(controls);
    expect(approvals()).toHaveLength(1);
    await say("Thanks!");
    expect(entriesOf("words").at(-1)?.text).toBe("You are welcome.");
  });

  test("shows the customer no ids, whatever is asked.", async () => {
    const { conversation, say, decide, approvals } = await startConversation(mode);
    for (const text of ["Which accounts do I have?", FROM_LOCKED, LARGE, LOCKED]) {
      await say(text);
      const { state } = approvals().at(-1) ?? {};
      if (state === "open") await decide(true);
    }
    const { entries } = conversation.view();
    const read = entries.map((one) => (one.type === "hop" ? one.title : { ...one, id: "" }));
    const ids = /\b(acc|cust|transfer|ticket)_|\bbank\.\w|[\da-f]{8}-/;
    expect(JSON.stringify(read)).not.toMatch(ids);
  });
});

describe("A conversation in guard mode", () => {
  test("makes one call for a question, follows no nextTool, and says so.", async () => {
    const { customer, say, entriesOf } = await startConversation("guard");
    await say(LOCKED);
    expect(entriesOf("guard")).toMatchObject([
      { text: expect.stringContaining("“Initiate human handoff”") },
    ]);
    const hops = entriesOf("hop").map(({ tool }) => tool);
    expect(hops).toEqual(["bank.check_account_issue"]);
    expect(customer.listTickets()).toEqual([]);
  });

  test("refuses a second call of one question, says so, and shows its list.", async () => {
    const { conversation, say, entriesOf } = await startConversation("guard");
    await say("What are the balances of my savings and my vacation fund?");
    const said = entriesOf("guard").map(({ text }) => text);
    expect(said.filter((text) => text.includes("refused a second call"))).toHaveLength(1);
    expect(said).toHaveLength(2);
    expect(entriesOf("shown").at(-1)?.text).toContain("High Yield Savings");
    const asked = { title: "Prepare money transfer", asks: true };
    expect(conversation.view().mayCall).toContainEqual(asked);
  });
});

describe("A control", () => {
  test("feeds one tool after the other, and no model is asked.", async () => {
    const { transfers, modelCalls, say, answer, questions } = await startConversation("ai-sdk");
    await say("I would like to transfer money.");
    for (const value of ["50", "High Yield Savings", "Everyday Current"]) await answer(value);
    expect(transfers()).toEqual(["pending"]);
    await answer("Cancel");
    expect(transfers()).toEqual(["cancelled"]);
    expect(questions().filter(({ state }) => state !== "answered")).toEqual([]);
    expect(modelCalls).toHaveLength(1);
  });

  test("confirms once, whatever is clicked.", async () => {
    const { conversation, savings, transfers, say, questions } = await startConversation("ai-sdk");
    await say(SMALL);
    const { id = "" } = questions().at(-1) ?? {};
    const choose = (value: string) => conversation.take({ type: "answer", id, value });
    await Promise.all(["maybe", "Confirm", "Confirm", "Cancel"].map(choose));
    expect(transfers()).toEqual(["confirmed"]);
    expect(savings()).toBe(1_280_050 - 5_000);
  });

  test.each([
    ["-1", "notice"],
    ["50.001", "shown"],
  ] as const)("stays open when its value is refused (%s).", async (value, type) => {
    const { conversation, say, answer, questions } = await startConversation("ai-sdk");
    await say("I would like to transfer money.");
    await answer(value);
    expect(questions().at(-1)?.state).toBe("open");
    expect(conversation.view().entries.at(-1)?.type).toBe(type);
  });

  test("hides from the page what it calls.", async () => {
    const { conversation, say } = await startConversation("ai-sdk");
    await say(SMALL);
    const sent = JSON.stringify(conversation.view());
    expect(sent).toContain("Transfer $50.00 from High Yield Savings to Everyday Current.");
    for (const hidden of ["_meta", "arguments", "transferId"]) expect(sent).not.toContain(hidden);
  });
});

test("A model that cannot be reached is explained, and the page still works.", async () => {
  const { conversation, options, say, entriesOf } = await startConversation("ai-sdk");
  await options.endpoint.close();
  await say("Hello");
  expect(entriesOf("notice")).toHaveLength(1);
  expect(conversation.view().isBusy).toBe(false);
});

test("A bank that is away at the start is explained, and works when it is back.", async () => {
  let isAway = true;
  const { options } = await startParts();
  const conversation = createConversation({
    ...{ ...options, mode: "ai-sdk" },
    connect: () => (isAway ? Promise.reject(new Error("refused")) : options.connect()),
  });
  onTestFinished(conversation.close);
  const hello = () => conversation.take({ type: "text", text: "Hello" });
  const types = () => conversation.view().entries.map(({ type }) => type);
  await hello();
  expect(types()).toEqual(["notice", "notice"]);
  isAway = false;
  await hello();
  expect(types()).toContain("words");
});

test("A large transfer waits in a pipe that a model wrote, just as in a single call.", async () => {
  const bank = await connectInMemory({ store: createBankStore() });
  const host = await createHost({ servers: { bank }, authorize: askBeforeLargeTransfers });
  onTestFinished(() => host.close());
  const args = { amount: 5000, fromAccountId: "acc_savings_001", toAccountId: "acc_current_001" };
  const spec = { steps: [{ id: "move", tool: "bank.prepare_money_transfer", args }] };
  const { paused } = await runPipe(host, { spec, author: "model", pauses: true });
  expect(paused?.asks).toMatchObject([{ path: "steps.move" }]);
});
