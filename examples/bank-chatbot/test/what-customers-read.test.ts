import { expect, test } from "vitest";
import { decide, entriesOf, say, startConversation } from "./start-conversation.ts";

test.each(["ai-sdk", "langgraph", "guard"] as const)(
  "The customer reads no ids, whatever is asked (%s).",
  async (mode) => {
    const { conversation } = await startConversation(mode);
    for (const text of [
      "Which accounts do I have?",
      "Transfer 250 from my primary checking to my savings.",
      "Transfer 5000 from savings to everyday current.",
      "My primary checking does not work.",
    ]) {
      await say(conversation, text);
      const { state } = entriesOf(conversation, "approval").at(-1) ?? {};
      if (state === "open") await decide(conversation, true);
    }
    const read = conversation
      .view()
      .entries.map((entry) =>
        entry.type === "hop" ? entry.title : JSON.stringify({ ...entry, id: "" }),
      );
    expect(read.join("\n")).not.toMatch(/\b(acc|cust|transfer|ticket)_|\bbank\.\w|[\da-f]{8}-/);
  },
);

test("The guard refuses a second call of one question, and says so.", async () => {
  const { conversation } = await startConversation("guard");
  await say(conversation, "What are the balances of my savings and my vacation fund?");
  expect(
    entriesOf(conversation, "guard")
      .map(({ text }) => text)
      .toSorted(),
  ).toEqual([
    "The guard let one call pass. This question has no other.",
    "The guard refused a second call: a question has one.",
  ]);
  expect(entriesOf(conversation, "shown").at(-1)?.text).toContain("High Yield Savings balance");
  expect(conversation.view().mayCall).toContainEqual({
    title: "Prepare money transfer",
    asks: true,
  });
});
