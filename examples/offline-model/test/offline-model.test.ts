import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, jsonSchema, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findTool, type OfflineModel, type Rule, startOfflineModel } from "../src/index.ts";

const sentence = "The weather in Bern is mild, with some clouds in the afternoon and no rain.";
const rules: readonly Rule[] = [
  ({ toolResultsSinceUser: [result] }) =>
    result && { text: `${result.name} said ${result.text} for ${result.arguments.city}.` },
  {
    can: "Ask for the weather in Bern.",
    decide: ({ lastUser }) =>
      lastUser.includes("weather")
        ? { toolCalls: [{ name: "get_weather", arguments: { city: "Bern" } }] }
        : undefined,
  },
  ({ lastUser }) => (/weather|speak/.test(lastUser) ? { text: sentence } : undefined),
];

let offline: OfflineModel;
beforeAll(async () => {
  offline = await startOfflineModel({ rules });
});
afterAll(() => offline.close());

function model() {
  return createOpenAICompatible({ name: "offline", baseURL: offline.url })("any-name");
}

const tools = {
  demo_get_weather: tool({
    description: "Says the weather.",
    inputSchema: jsonSchema<{ city: string }>({
      type: "object",
      properties: { city: { type: "string" } },
    }),
    execute: async () => "mild",
  }),
};

describe("through the provider package", () => {
  test("generateText gets text and a counted usage", async () => {
    const before = offline.calls.length;
    const answer = await generateText({ model: model(), prompt: "speak" });
    expect(answer.text).toBe(sentence);
    expect(answer.finishReason).toBe("stop");
    const call = offline.calls[before];
    expect(answer.usage.inputTokens).toBe(call?.promptTokens);
    expect(answer.usage.outputTokens).toBe(call?.completionTokens);
    expect(call?.completionTokens).toBeGreaterThan(10);
  });

  test("a model that thinks does not answer sooner", async () => {
    const slow = await startOfflineModel({ rules, thinkMs: 200 });
    onTestFinished(slow.close);
    const startMs = performance.now();
    const { chatModel } = createOpenAICompatible({ name: "offline", baseURL: slow.url });
    expect((await generateText({ model: chatModel("any"), prompt: "speak" })).text).toBe(sentence);
    expect(performance.now() - startMs).toBeGreaterThan(190);
  });

  test("generateText calls a prefixed tool and answers from its result", async () => {
    const answer = await generateText({
      model: model(),
      prompt: "the weather, please",
      tools,
      stopWhen: isStepCount(3),
    });
    expect(answer.steps).toHaveLength(2);
    expect(answer.steps[0]?.toolCalls[0]).toMatchObject({
      toolName: "demo_get_weather",
      input: { city: "Bern" },
    });
    expect(answer.text).toBe("demo_get_weather said mild for Bern.");
  });

  test("streamText gets the same text in several deltas, and usage at the end", async () => {
    const stream = streamText({ model: model(), prompt: "speak" });
    const deltas: string[] = [];
    for await (const delta of stream.textStream) deltas.push(delta);
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.join("")).toBe(sentence);
    expect((await stream.usage).inputTokens).toBe(offline.calls.at(-1)?.promptTokens);
  });

  test("streamText calls a tool", async () => {
    const stream = streamText({
      model: model(),
      prompt: "the weather, please",
      tools,
      stopWhen: isStepCount(3),
    });
    expect(await stream.text).toBe("demo_get_weather said mild for Bern.");
    expect(await stream.finishReason).toBe("stop");
    expect((await stream.steps)[0]?.finishReason).toBe("tool-calls");
  });

  test("tools and earlier messages are part of the prompt tokens", async () => {
    await generateText({ model: model(), prompt: "speak" });
    await generateText({ model: model(), prompt: "speak", tools });
    const [bare, withTools] = offline.calls.slice(-2);
    expect(withTools?.promptTokens).toBeGreaterThan((bare?.promptTokens ?? 0) + 20);
  });
});

describe("decisions", () => {
  test("a rule that calls a tool which is not offered gives way to the next rule", async () => {
    expect((await generateText({ model: model(), prompt: "weather" })).text).toBe(sentence);
  });

  test("a tool is not called when the request forbids it", async () => {
    const options = { model: model(), prompt: "weather", tools, toolChoice: "none" as const };
    expect((await generateText(options)).text).toBe(sentence);
  });

  test("without a matching rule it says that it is a fake model and what it can do", async () => {
    const { text } = await generateText({ model: model(), prompt: "sing" });
    expect(text).toContain("fake model");
    expect(text).toContain("Ask for the weather in Bern.");
  });

  test("a tool is found by its bare name, with a prefix or with a suffix", () => {
    const offered = ["relist_accounts", "list_accounts_2", "bank.list_accounts"].map((name) => ({
      name,
    }));
    expect(findTool(offered, "list_accounts")?.name).toBe("bank.list_accounts");
    expect(findTool(offered.slice(0, 2), "list_accounts")?.name).toBe("list_accounts_2");
    expect(findTool(offered.slice(0, 1), "list_accounts")).toBeUndefined();
  });
});

describe("over plain HTTP", () => {
  function post(body: string) {
    return fetch(`${offline.url}/chat/completions`, { method: "POST", body });
  }

  test.each([
    ["a body that is not JSON", "{"],
    ["no messages", "{}"],
    ["an empty list of messages", '{"messages":[]}'],
    ["a message without a role", '{"messages":[{}]}'],
    ["a tool without a name", '{"messages":[{"role":"user","content":"hi"}],"tools":[{}]}'],
  ])("%s is refused with an OpenAI-shaped error", async (_title, body) => {
    const before = offline.calls.length;
    const response = await post(body);
    expect(response.status).toBe(400);
    const expected = { message: expect.any(String), type: "invalid_request_error" };
    expect(await response.json()).toMatchObject({ error: expected });
    expect(offline.calls).toHaveLength(before);
  });

  test("an unknown route is a 404 with an OpenAI-shaped error", async () => {
    const response = await fetch(`${offline.url}/nowhere`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
  });

  test("the list of models names the fake model", async () => {
    const response = await fetch(`${offline.url}/models`);
    expect(await response.json()).toMatchObject({ data: [{ id: "offline-rules" }] });
  });

  test("a stream ends with a usage chunk and [DONE]", async () => {
    const messages = [{ role: "user", content: "speak <|endoftext|>" }];
    const text = await (await post(JSON.stringify({ stream: true, messages }))).text();
    const events = text.trim().split("\n\n");
    expect(events.at(-1)).toBe("data: [DONE]");
    expect(events.at(-2)).toContain('"total_tokens"');
  });
});
