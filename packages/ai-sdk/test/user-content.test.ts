import type { UIMessage } from "ai";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import {
  createTools,
  type UserContentParts,
  withChaining,
  writeUserContent,
} from "../src/index.ts";
import { chained, FOR_USER, openBank, text } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { generate } from "./runs.ts";

type Message = UIMessage<unknown, UserContentParts>;

const forUser = (words: string) => text(words, { ...FOR_USER, _meta: { private: "HIDDEN" } });
const TOOLS = {
  a: {
    answer: () => ({
      content: [{ type: "text", text: "for both" }, forUser("SECRET locked")],
      _meta: { nextTool: { tool: "b" }, private: "HIDDEN" },
    }),
  },
  b: { answer: () => ({ ...asking("c"), content: [forUser("SECRET call us")] }) },
  c: {},
};

async function readMessage(major: Major, stream: ReadableStream) {
  const chunks: unknown[] = [];
  const [seen, kept] = stream.tee();
  for await (const chunk of seen) chunks.push(chunk);
  let message: Message | undefined;
  for await (const state of major.sdk.readUIMessageStream<Message>({ stream: kept as never })) {
    message = state;
  }
  if (!message) throw new Error("no message");
  return { chunks, message };
}

describe.each(majors)("what is for the user on $name", (major: Major) => {
  const withoutData = (chunks: readonly unknown[]) =>
    chunks.filter((chunk) => (chunk as { type: string }).type !== "data-user-content");

  it("Content for the user comes to the browser as data parts, and nowhere else.", async () => {
    const { host } = await openBank(TOOLS);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const stream = major.sdk.createUIMessageStream<Message>({
      execute: ({ writer }) => {
        const chaining = { onHop: writeUserContent(writer) };
        const settings = withChaining(host, { model: model.model, prompt: "hi", chaining });
        writer.merge(major.sdk.streamText(settings).toUIMessageStream());
      },
    });
    const { chunks, message } = await readMessage(major, stream);
    const shown = message.parts.flatMap((part) =>
      part.type === "data-user-content" ? [part.data] : [],
    );
    expect(shown).toMatchObject([
      { toolCallId: "call-1", tool: "bank.a", content: [{ text: "SECRET locked" }] },
      { tool: "bank.b", content: [{ text: "SECRET call us" }] },
    ]);
    expect(JSON.stringify(chunks)).not.toMatch(/HIDDEN|_meta|nextTool/);
    for (const place of [withoutData(chunks), model.prompts]) {
      expect(JSON.stringify(place)).not.toContain("SECRET");
    }
    const { tools } = withChaining(host, { model: model.model });
    for (const options of [undefined, { tools }]) {
      const history = await major.sdk.convertToModelMessages([message], options as never);
      expect(JSON.stringify(history)).toContain("for both");
      expect(JSON.stringify(history)).not.toMatch(/SECRET|HIDDEN|_meta|nextTool/);
    }
  });

  it("A chain that comes back from a browser is folded.", async () => {
    const { host } = await openBank(TOOLS);
    const first = scriptModel(major, [{ tool: "a" }], ["final"]);
    const settings = withChaining(host, { model: first.model, prompt: "hi" });
    const { message } = await readMessage(
      major,
      major.sdk.streamText(settings).toUIMessageStream(),
    );
    const user = { id: "u", role: "user", parts: [{ type: "text", text: "hi" }] } as const;
    const { tools } = settings;
    const messages = await major.sdk.convertToModelMessages(
      [user, message, { ...user, id: "v" }] as UIMessage[],
      { tools },
    );
    const second = scriptModel(major, ["again"]);
    await major.sdk.generateText(withChaining(host, { model: second.model, messages }));
    const prompt = JSON.stringify(second.prompts.at(-1));
    const b = "Then b was called:\\nThe result was shown to the user.";
    expect(prompt).toContain(`a:\\nfor both\\n${b}\\nThen c was called:\\nc done`);
    expect(prompt).not.toContain("hop-");
  });

  it.each([true, false])(
    "A model reads no arguments of a hop that are for the user alone, also after its first call is gone (fold: %s).",
    async (fold) => {
      const PIN = { content: [forUser("4711")], _meta: asking("b", { pin: "4711" })._meta };
      const { host, server } = await openBank({ a: { answer: () => PIN }, b: {} });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const chaining = { fold, endWhenShown: false };
      const { messages } = await generate(major, chained(host, model, { chaining }));
      expect(server.seen.map((call) => call.arguments)).toEqual([{}, { pin: "4711" }]);
      await generate(major, chained(host, model, { chaining, messages: messages.slice(2) }));
      const [hop] = model.prompts.at(-1) ?? [];
      expect(hop).toMatchObject({ content: [{ type: "tool-call", toolName: "b", input: {} }] });
      expect(JSON.stringify(model.prompts)).not.toContain("4711");
    },
  );

  it("Content for the user is written once at the end of a call of createTools.", async () => {
    const { host } = await openBank(TOOLS);
    const written: unknown[] = [];
    const onResult = writeUserContent({ write: (part) => written.push(part) });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await major.sdk.generateText({
      model: model.model,
      prompt: "hi",
      tools: createTools(host, { onResult }),
      stopWhen: major.sdk.stepCountIs(3),
    });
    expect(written).toMatchObject([
      {
        type: "data-user-content",
        data: {
          toolCallId: "call-1",
          tool: "bank.c",
          content: [{ text: "SECRET locked" }, { text: "SECRET call us" }],
        },
      },
    ]);
  });

  it("Nothing is written if nothing is for the user.", async () => {
    const { host } = await openBank({ a: {} });
    const written: unknown[] = [];
    const onHop = writeUserContent({ write: (part) => written.push(part) });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const settings = withChaining(host, { model: model.model, prompt: "hi", chaining: { onHop } });
    await major.sdk.generateText(settings);
    expect(written).toEqual([]);
  });
});
