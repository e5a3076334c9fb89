import { ChatOpenAI } from "@langchain/openai";
import { expect, it } from "vitest";
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
      { type: "text", text: '{"n":1}' },
    ]);
  },
);

it("A provider that takes no media from tools reads which there were.", async () => {
  const { host } = await openBank({ a: { answer: () => ({ content: [IMAGE] }) } });
  const { model, bodies } = openWire();
  await builds.inside({ host, model, tools: createTools(host) }).invoke(QUESTION);
  expect(bodies[1]?.messages.at(-1)?.content).toEqual([{ type: "text", text: "(image/png)" }]);
});
