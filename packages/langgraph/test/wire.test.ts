import { ChatAnthropic } from "@langchain/anthropic";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { builds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import type { ScriptedModel } from "./scripted-model.ts";

const CALL = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "call-1", type: "function", function: { name: "a", arguments: "{}" } }],
};
const ANSWER = { role: "assistant", content: "final" };
const IMAGE = { type: "image", data: "aW1n", mimeType: "image/png" };

/** LangChain's own package for OpenAI over a wire that records what is sent. */
function openWire() {
  const bodies: { messages: { role: string; content: unknown; tool_call_id?: string }[] }[] = [];
  const answer = async (_url: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)));
    const message = bodies.length === 1 ? CALL : ANSWER;
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return Response.json({ id: "1", object: "chat.completion", choices });
  };
  const configuration = { baseURL: "http://wire.invalid", fetch: answer };
  const model = new ChatOpenAI({ model: "m", apiKey: "none", maxRetries: 0, configuration });
  return { model: model as unknown as ScriptedModel, bodies };
}

it.each(Object.entries(builds))(
  "A provider reads one result for each call that it asked for: %s.",
  async (_, build) => {
    const { host } = await openBank({
      a: { answer: () => asking("b", {}, "a result") },
      b: { answer: () => ({ content: [IMAGE], structuredContent: { n: 1 } }) },
    });
    const { model, bodies } = openWire();
    await build({ host, model, tools: createTools(host) }).invoke(QUESTION);
    const [call, ...results] = bodies[1]?.messages.slice(1) ?? [];
    expect(call).toMatchObject({ role: "assistant", tool_calls: [{ id: "call-1" }] });
    expect(results).toMatchObject([{ role: "tool", tool_call_id: "call-1" }]);
    expect(results[0]?.content).toEqual([
      { type: "text", text: "a:" },
      { type: "text", text: "a result" },
      { type: "text", text: "Then b was called:" },
      { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } },
      { type: "text", text: '{"n":1}' },
    ]);
  },
);

/** The last message or item of a request, after a tool has answered with this content. */
async function lastSent(
  create: (fetch: typeof globalThis.fetch) => BaseChatModel,
  content: object[],
) {
  const { host } = await openBank({ a: { answer: () => ({ content }) } });
  const bodies: { messages?: unknown[]; input?: unknown[] }[] = [];
  const model = create(async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response("{}", { status: 400 });
  });
  const call = { type: "tool_call", id: "call-1", name: "a", args: {} } as const;
  const [tool] = createTools(host);
  const answer = await tool?.invoke(call);
  const messages = [new HumanMessage("please"), new AIMessage({ content: "", tool_calls: [call] })];
  await expect(model.invoke([...messages, answer])).rejects.toThrow();
  const [{ messages: sent, input = sent } = {}] = bodies;
  return input?.at(-1);
}

const OPENAI = { model: "m", apiKey: "none", maxRetries: 0 };
const URL = "data:image/png;base64,aW1n";
const TEXT = { type: "text", text: "see" };
const AUDIO = { type: "audio", data: "c25k", mimeType: "audio/wav" };
const LINE = "(content of type audio/wav left out)";
const providers: readonly [
  string,
  (fetch: typeof globalThis.fetch) => BaseChatModel,
  (answer: { texts: string[]; image: boolean }) => object,
][] = [
  [
    "OpenAI's Responses",
    (fetch) => new ChatOpenAI({ ...OPENAI, useResponsesApi: true, configuration: { fetch } }),
    ({ texts, image }) => ({
      type: "function_call_output",
      call_id: "call-1",
      output: [
        ...texts.map((text) => ({ type: "input_text", text })),
        ...(image ? [expect.objectContaining({ type: "input_image", image_url: URL })] : []),
      ],
    }),
  ],
  [
    "OpenAI's Chat Completions",
    (fetch) => new ChatOpenAI({ ...OPENAI, configuration: { fetch } }),
    ({ texts, image }) => ({
      role: "tool",
      tool_call_id: "call-1",
      content: [
        ...texts.map((text) => ({ type: "text", text })),
        ...(image ? [{ type: "image_url", image_url: { url: URL } }] : []),
      ],
    }),
  ],
  [
    "Anthropic",
    (fetch) => new ChatAnthropic({ ...OPENAI, clientOptions: { fetch } }),
    ({ texts, image }) => ({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "call-1",
          content: [
            ...texts.map((text) => ({ type: "text", text })),
            ...(image
              ? [
                  {
                    type: "image",
                    source: { type: "base64", media_type: "image/png", data: "aW1n" },
                  },
                ]
              : []),
          ],
        },
      ],
    }),
  ],
];

describe.each(providers)("%s", (_, create, expected) => {
  it.each([
    ["an image alone", [IMAGE], { texts: ["(image/png)"], image: true }],
    ["an image beside a text", [TEXT, IMAGE], { texts: ["see"], image: true }],
    ["audio beside an image", [TEXT, AUDIO, IMAGE], { texts: ["see", LINE], image: true }],
  ])("reads %s as the result of its call", async (_what, content, answer) => {
    expect(await lastSent(create, content)).toMatchObject(expected(answer));
  });
});
