import type { Rule } from "@toolrail/example-offline-model";
import { describe, expect, test } from "vitest";
import type { Mode } from "../../src/web-server/protocol.ts";
import { startConversation } from "./conversation.ts";
import { startWeb } from "./start-web.ts";
import { CONTEXT_KEY, startWildBank } from "./wild-bank.ts";

/** Does as it is told: "call NAME". */
const rules: Rule[] = [
  ({ toolResultsSinceUser }) =>
    toolResultsSinceUser.length > 0 ? { text: "That is all." } : undefined,
  ({ lastUser }) => {
    const name = lastUser.match(/^call (\w+)$/)?.[1];
    return name ? { toolCalls: [{ name, arguments: {} }] } : undefined;
  },
];

async function enter(mode: Mode) {
  const bank = await startWildBank();
  const { url, modelCalls } = await startWeb({
    bank: bank.url,
    rules,
    toRequestMeta: (threadId) => ({ [CONTEXT_KEY]: { thread_id: threadId, locale: "en" } }),
  });
  return { ...bank, modelCalls, conversation: await startConversation(url, mode) };
}

async function enterSignedIn(mode: Mode) {
  const entered = await enter(mode);
  await entered.conversation.answer("0427");
  return entered;
}

describe.each(["ai-sdk", "langgraph"] as const)("a bank in the wild, on %s", (mode) => {
  test("its welcome tool is called once, and its number widget feeds a text argument", async () => {
    const { conversation, calls, modelCalls } = await enter(mode);
    expect(await conversation.shown()).toEqual(["Welcome to the wild bank."]);
    const [control] = await conversation.parts("control");
    expect(control?.data).toMatchObject({ kind: "number", title: "Your PIN", secret: true });
    await conversation.answer("0042");
    expect(calls).toEqual([
      { name: "welcome", args: {}, threadId: conversation.id },
      { name: "verify_pin", args: { pin: "0042" }, threadId: conversation.id },
    ]);
    expect(modelCalls).toHaveLength(0);
  });

  test("a secret stands nowhere in what the page is sent", async () => {
    const { conversation, calls } = await enter(mode);
    // Long enough to stand in no random id and no duration by chance.
    const secret = "004217730964";
    const stream = await conversation.answer(secret);
    expect(calls.at(-1)).toMatchObject({ name: "verify_pin", args: { pin: secret } });
    expect(stream + JSON.stringify(await conversation.view())).not.toContain(secret);
  });

  test("tools appear after its refresh hint, and app-only ones are never offered to a model", async () => {
    const { conversation } = await enter(mode);
    expect((await conversation.view()).status.tools).toEqual(["welcome"]);
    await conversation.answer("0427");
    const tools = async () => (await conversation.view()).status.tools;
    await expect.poll(tools).toContain("pay_mortgage");
    expect(await tools()).not.toContain("verify_pin");
    expect(await tools()).not.toContain("settle");
  });

  test("every kind of widget calls its tool without a model, though results carry only metadata", async () => {
    const { conversation, calls, modelCalls } = await enterSignedIn(mode);
    await conversation.say("call pay_mortgage");
    await conversation.answer("a1");
    await conversation.answer("2030-05-06");
    await conversation.answer("12.50");
    await conversation.answer("confirm");
    expect(calls.slice(2).map(({ name, args }) => [name, args])).toEqual([
      ["pay_mortgage", {}],
      ["choose_date", { accountId: "a1" }],
      ["choose_date", { accountId: "a1", date: "2030-05-06" }],
      ["set_amount", { date: "2030-05-06", amount: 12.5 }],
      ["settle", { decision: "yes" }],
    ]);
    expect((await conversation.shown()).at(-1)).toBe("Settled: yes.");
    expect(modelCalls).toHaveLength(1);
  });

  test("a text widget and an error for the user alone reach the customer, and no model", async () => {
    const { conversation, modelCalls } = await enterSignedIn(mode);
    await conversation.say("call leave_note");
    await conversation.answer("hello");
    expect((await conversation.shown()).at(-1)).toBe("Noted: hello.");
    expect(modelCalls).toHaveLength(1);
    await conversation.say("call bad_date");
    expect((await conversation.shown()).at(-1)).toBe("That date is in the past.");
    expect(modelCalls).toHaveLength(2);
  });

  test("a nextTool that says name is followed, and its hand-off pauses the assistant until taken back", async () => {
    const { conversation, calls, modelCalls } = await enterSignedIn(mode);
    await conversation.say("call locked_card");
    expect(calls.at(-1)).toMatchObject({ name: "hand_over", args: { reason: "locked card" } });
    expect((await conversation.shown()).at(-1)).toBe("Your card is locked.");
    expect((await conversation.view()).status.handoff).toEqual({ text: "Hello!" });

    const before = modelCalls.length;
    await conversation.say("are you there?");
    expect(modelCalls).toHaveLength(before);
    await conversation.take({ type: "take-back" });
    expect((await conversation.view()).status.handoff).toBeUndefined();
    await conversation.say("call bad_date");
    expect(modelCalls).toHaveLength(before + 1);
  });

  test("an end of the interaction closes the conversation", async () => {
    const { conversation, modelCalls } = await enterSignedIn(mode);
    await conversation.say("call goodbye");
    expect((await conversation.view()).status.ended).toBe(true);
    const before = modelCalls.length;
    await conversation.say("call bad_date");
    expect(modelCalls).toHaveLength(before);
  });
});
