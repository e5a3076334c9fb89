import { createHost } from "@toolrail/core";
import { runPipe } from "@toolrail/core/pipe";
import { describe, expect, onTestFinished, test } from "vitest";
import { askBeforeLargeTransfers } from "../src/agents/agent.ts";
import { DEMO_PIN } from "../src/bank/person-tools.ts";
import { createBankStore, DEMO_CUSTOMER_ID } from "../src/bank/store.ts";
import { createConversation } from "../src/conversation/create-conversation.ts";
import {
  answer,
  connectInMemory,
  decide,
  entriesOf,
  say,
  startConversation,
  startParts,
} from "./start-conversation.ts";

const LARGE = "Transfer 5000 from savings to everyday current.";
const SMALL = "Transfer 50 from savings to everyday current.";
const FROM_LOCKED = "Transfer 250 from my primary checking to my savings.";
const LOCKED = "My primary checking does not work.";

describe.each(["ai-sdk", "langgraph"] as const)("A conversation on %s", (mode) => {
  test("streams the model's words after the calls they are about.", async () => {
    const { conversation, modelCalls } = await startConversation(mode);
    await say(conversation, "Which accounts do I have?");
    const types = conversation.view().entries.map(({ type }) => type);
    expect(types.slice(-4).filter((type) => type !== "model")).toEqual(["hop", "words"]);
    expect(entriesOf(conversation, "words").at(-1)?.text).toContain("High Yield Savings");
    expect(modelCalls).toHaveLength(2);
    for (const call of entriesOf(conversation, "model")) {
      expect(call).toMatchObject({ state: "done", tokens: expect.any(Number) });
    }
  });

  test("remembers what was written, and what was chosen without the model.", async () => {
    const { conversation, transfers } = await startConversation(mode);
    await say(conversation, SMALL);
    await answer(conversation, "confirm");
    expect(transfers()).toEqual(["confirmed"]);
    await say(conversation, "Which accounts do I have?");
    await say(conversation, "Thanks!");
    expect(entriesOf(conversation, "words").at(-1)?.text).toBe("You are welcome.");
  });

  test("follows a chain, and asks the model only once if everything is for the user.", async () => {
    const { conversation, modelCalls } = await startConversation(mode);
    await say(conversation, FROM_LOCKED);
    expect(entriesOf(conversation, "hop").slice(-2)).toMatchObject([
      { tool: "bank.prepare_money_transfer", by: "model", state: "done" },
      { tool: "bank.request_agent_handoff", by: "chain", state: "done" },
    ]);
    expect(entriesOf(conversation, "shown").at(-2)?.text).toContain("locked");
    expect(modelCalls).toHaveLength(1);
  });

  test.each([true, false])(
    "asks about a large transfer once, and confirms it with the answer (%s).",
    async (approved) => {
      const { conversation, transfers } = await startConversation(mode);
      await say(conversation, LARGE);
      await say(conversation, "Which accounts do I have?");
      expect(entriesOf(conversation, "notice")).toHaveLength(1);
      expect(transfers()).toEqual([]);
      const controls = entriesOf(conversation, "control").length;
      await Promise.all([decide(conversation, approved), decide(conversation, approved)]);
      expect(transfers()).toEqual(approved ? ["confirmed"] : []);
      expect(entriesOf(conversation, "control")).toHaveLength(controls);
      expect(entriesOf(conversation, "approval")).toHaveLength(1);
      await say(conversation, "Thanks!");
      expect(entriesOf(conversation, "words").at(-1)?.text).toBe("You are welcome.");
    },
  );

  test.each([true, false])("waits for approval of a hop (%s).", async (approved) => {
    const { conversation, store } = await startConversation(mode, {
      authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
    });
    const tickets = () => store.listTickets(DEMO_CUSTOMER_ID);
    await say(conversation, LOCKED);
    const asked = { title: "Initiate human handoff", state: "open" };
    expect(entriesOf(conversation, "approval")).toMatchObject([asked]);
    expect(tickets()).toHaveLength(0);
    await decide(conversation, approved);
    expect(tickets()).toHaveLength(approved ? 1 : 0);
    const calls = entriesOf(conversation, "hop").map(({ tool }) => tool);
    expect(calls.filter((tool) => tool === "bank.check_account_issue")).toHaveLength(1);
  });

  test("survives a bank that is gone.", async () => {
    const { conversation, clients } = await startConversation(mode);
    await clients[0]?.close();
    await say(conversation, LOCKED);
    expect(entriesOf(conversation, "hop").at(-1)).toMatchObject({ state: "error" });
    const words = entriesOf(conversation, "words").length;
    await say(conversation, "Hello");
    expect(entriesOf(conversation, "words")).toHaveLength(words + 1);
  });
});

test.each(["ai-sdk", "langgraph", "guard"] as const)(
  "The customer reads no ids, whatever is asked (%s).",
  async (mode) => {
    const { conversation } = await startConversation(mode);
    for (const text of ["Which accounts do I have?", FROM_LOCKED, LARGE, LOCKED]) {
      await say(conversation, text);
      const { state } = entriesOf(conversation, "approval").at(-1) ?? {};
      if (state === "open") await decide(conversation, true);
    }
    const read = conversation
      .view()
      .entries.map((one) => (one.type === "hop" ? one.title : JSON.stringify({ ...one, id: "" })));
    expect(read.join("\n")).not.toMatch(/\b(acc|cust|transfer|ticket)_|\bbank\.\w|[\da-f]{8}-/);
  },
);

describe("A conversation in guard mode", () => {
  test("makes one call for a question, follows no nextTool, and says so.", async () => {
    const { conversation, store } = await startConversation("guard");
    await say(conversation, LOCKED);
    expect(entriesOf(conversation, "guard")).toMatchObject([
      { text: expect.stringContaining("“Initiate human handoff”") },
    ]);
    const hops = entriesOf(conversation, "hop").map(({ tool }) => tool);
    expect(hops.slice(2)).toEqual(["bank.check_account_issue"]);
    expect(store.listTickets(DEMO_CUSTOMER_ID)).toEqual([]);
  });

  test("refuses a second call of one question, says so, and shows its list.", async () => {
    const { conversation } = await startConversation("guard");
    await say(conversation, "What are the balances of my savings and my vacation fund?");
    const said = entriesOf(conversation, "guard").map(({ text }) => text);
    expect(said.filter((text) => text.includes("refused a second call"))).toHaveLength(1);
    expect(said).toHaveLength(2);
    expect(entriesOf(conversation, "shown").at(-1)?.text).toContain("High Yield Savings");
    const asked = { title: "Prepare money transfer", asks: true };
    expect(conversation.view().mayCall).toContainEqual(asked);
  });

  test.each([true, false])(
    "asks before a call that its list asks about (%s).",
    async (approved) => {
      const { conversation, transfers } = await startConversation("guard");
      await say(conversation, SMALL);
      expect(transfers()).toEqual([]);
      await decide(conversation, approved);
      expect(transfers()).toEqual(approved ? ["confirmed"] : []);
    },
  );
});

describe("A control", () => {
  test("feeds one tool after the other, and no model is asked.", async () => {
    const { conversation, transfers, modelCalls } = await startConversation("ai-sdk");
    await say(conversation, "I would like to transfer money.");
    for (const value of ["50", "acc_savings_001", "acc_current_001"])
      await answer(conversation, value);
    expect(transfers()).toEqual(["pending"]);
    await answer(conversation, "cancel");
    expect(transfers()).toEqual(["cancelled"]);
    expect(modelCalls).toHaveLength(1);
  });

  test("confirms once, whatever is clicked.", async () => {
    const { conversation, savings, transfers } = await startConversation("ai-sdk");
    await say(conversation, SMALL);
    const { id = "" } = entriesOf(conversation, "control").at(-1) ?? {};
    const choose = (value: string) => conversation.take({ type: "control", id, value });
    await Promise.all(["maybe", "confirm", "confirm", "cancel"].map(choose));
    expect(transfers()).toEqual(["confirmed"]);
    expect(savings()).toBe(1_280_050 - 5_000);
  });

  test.each([
    ["-1", "notice"],
    ["50.001", "shown"],
  ] as const)("stays open when its value is refused (%s).", async (value, type) => {
    const { conversation } = await startConversation("ai-sdk");
    await say(conversation, "I would like to transfer money.");
    await answer(conversation, value);
    expect(entriesOf(conversation, "control").at(-1)?.state).toBe("open");
    expect(conversation.view().entries.at(-1)?.type).toBe(type);
  });

  test("hides from the page what it calls and a secret that was entered.", async () => {
    const { conversation } = await startConversation("ai-sdk");
    await say(conversation, SMALL);
    const sent = JSON.stringify(conversation.view());
    expect(sent).toContain("Transfer $50.00 from High Yield Savings to Everyday Current.");
    for (const secret of ["_meta", "on_confirm", "transferId", `"${DEMO_PIN}"`]) {
      expect(sent).not.toContain(secret);
    }
  });
});

test("A model that cannot be reached is explained, and the page still works.", async () => {
  const { conversation, options } = await startConversation("ai-sdk");
  await options.endpoint.close();
  await say(conversation, "Hello");
  expect(entriesOf(conversation, "notice")).toHaveLength(1);
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
  await say(conversation, "Hello");
  expect(entriesOf(conversation, "notice")).toHaveLength(2);
  isAway = false;
  await say(conversation, "Hello");
  expect(entriesOf(conversation, "shown")).toHaveLength(1);
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
