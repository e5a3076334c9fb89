import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOpenAICompatible6 } from "@ai-sdk/openai-compatible6";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools, withChaining } from "../src/index.ts";
import { openBank, text } from "./bank.ts";
import { majorNamed, scriptModel } from "./majors.ts";

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

/** The last message or item of a request of `ai` 7, after a tool has answered with this content. */
async function lastSent(create: (fetch: typeof globalThis.fetch) => unknown, content: object[]) {
  const major = majorNamed("ai 7");
  const { host } = await openBank({ a: { answer: () => ({ content }) } });
  const tools = createTools(host);
  const { model } = scriptModel(major, [{ tool: "a" }]);
  const asked = { role: "user", content: "hi" };
  const first = await major.sdk.generateText({ model, tools, prompt: "hi" } as never);
  const messages = [asked, ...first.response.messages];
  const bodies: { messages?: unknown[]; input?: unknown[] }[] = [];
  const provider = create(async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response("{}", { status: 400 });
  });
  const sending = { model: provider, tools, messages, maxRetries: 0 };
  await expect(major.sdk.generateText(sending as never)).rejects.toThrow();
  return (bodies[0]?.input ?? bodies[0]?.messages)?.at(-1);
}

const IMAGE = { type: "image", data: "aW1n", mimeType: "image/png" };
const SVG = { type: "image", data: "c3Zn", mimeType: "image/svg+xml" };
const AUDIO = { type: "audio", data: "c25k", mimeType: "audio/wav" };
const GZIP = { uri: "file:///a.gz", blob: "emlw", mimeType: "application/gzip" };
const leftOut = (type: string) => `(content of type ${type} left out)`;
const MEDIA: readonly (readonly [string, object[], { texts: string[]; image: boolean }])[] = [
  ["audio alone", [AUDIO], { texts: [leftOut("audio/wav")], image: false }],
  [
    "an archive beside a text",
    [text("see"), { type: "resource", resource: GZIP }],
    { texts: ["see", "<file:///a.gz>", leftOut("application/gzip")], image: false },
  ],
  ["an image beside an SVG", [SVG, IMAGE], { texts: [leftOut("image/svg+xml")], image: true }],
];

describe("what goes over the wire of a provider that refuses other media", () => {
  it.each(MEDIA)("OpenAI's Responses reads %s.", async (_, content, { texts, image }) => {
    const create = (fetch: typeof globalThis.fetch) => createOpenAI({ apiKey: "none", fetch })("m");
    const sent = await lastSent(create, content);
    const url = { type: "input_image", image_url: "data:image/png;base64,aW1n" };
    const parts = [...texts.map((text) => ({ type: "input_text", text })), ...(image ? [url] : [])];
    const output = image ? parts : texts.join("\n");
    expect(sent).toMatchObject({ type: "function_call_output", call_id: "call-1", output });
  });

  it.each(MEDIA)("Anthropic reads %s.", async (_, content, { texts, image }) => {
    const create = (fetch: typeof globalThis.fetch) =>
      createAnthropic({ apiKey: "none", fetch })("m");
    const sent = await lastSent(create, content);
    const source = { type: "base64", media_type: "image/png", data: "aW1n" };
    const parts = [
      ...texts.map((text) => ({ type: "text", text })),
      ...(image ? [{ type: "image", source }] : []),
    ];
    const answer = image ? parts : texts.join("\n");
    expect(sent).toMatchObject({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "call-1", content: answer }],
    });
  });
});
