import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOpenAICompatible6 } from "@ai-sdk/openai-compatible6";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools, withChaining } from "../src/index.ts";
import { openBank, text } from "./bank.ts";
import { majorNamed } from "./majors.ts";

const CALL = {
  role: "assistant",
  tool_calls: [{ id: "call-1", type: "function", function: { name: "a", arguments: "{}" } }],
};
const ANSWER = { role: "assistant", content: "final" };
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** A provider's real package over a wire that records what is sent. */
function openWire(create: typeof createOpenAICompatible) {
  const bodies: { messages: { role: string; content: unknown }[]; tools?: unknown }[] = [];
  const provider = create({
    name: "wire",
    baseURL: "http://wire.invalid",
    fetch: async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      const message = bodies.length === 1 ? CALL : ANSWER;
      const choices = [{ index: 0, message, finish_reason: "stop" }];
      return Response.json({ id: "1", object: "chat.completion", choices, usage: USAGE });
    },
  });
  return { model: provider.chatModel("m"), bodies };
}

const TOOLS = {
  a: { answer: () => asking("b", {}, "a result") },
  b: { answer: () => ({ content: [text("b result")], structuredContent: { n: 1 } }) },
};

describe.each([
  { major: majorNamed("ai 7"), create: createOpenAICompatible },
  {
    major: majorNamed("ai 6"),
    create: createOpenAICompatible6 as unknown as typeof createOpenAICompatible,
  },
])("what goes over the wire of a provider of $major.name", ({ major, create }) => {
  const { sdk } = major;

  it.each([{ ui: { resourceUri: "ui://shop/rows" } }, { "ui/resourceUri": "ui://shop/rows" }])(
    "The structured content of a tool with a view (%j) does not go over the wire beside its text.",
    async (_meta) => {
      const structuredContent = { rows: [1, 2, 3] };
      const answer = () => ({ content: [text("Three rows.")], structuredContent });
      const { host } = await openBank({ a: { definition: { _meta }, answer } });
      const { model, bodies } = openWire(create);
      const settings = { model, tools: createTools(host), stopWhen: sdk.stepCountIs(3) };
      await sdk.generateText({ ...settings, prompt: "hi" } as never);
      expect(bodies[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Three rows." });
    },
  );

  it.each(["createTools", "withChaining"])(
    "Plain text and nothing of Toolrail goes over the wire with %s.",
    async (way) => {
      const { host } = await openBank(TOOLS);
      const { model, bodies } = openWire(create);
      const settings =
        way === "createTools"
          ? { model, tools: createTools(host), stopWhen: sdk.stepCountIs(3) }
          : withChaining(host, { model });
      const { text } = await sdk.generateText({ ...settings, prompt: "hi" } as never);
      expect(text).toBe("final");
      expect(bodies).toHaveLength(2);
      expect(bodies[1]?.messages.at(-1)).toMatchObject({
        role: "tool",
        tool_call_id: "call-1",
        content: 'a:\na result\nThen b was called:\nb result\n{"n":1}',
      });
      expect(JSON.stringify(bodies)).not.toMatch(/toolrail|hop-|callId/);
    },
  );
});
