import { expect, onTestFinished, test } from "vitest";
import { type ProviderProfile, startOfflineModel } from "../src/index.ts";

const PROFILES: readonly ProviderProfile[] = ["openai", "anthropic", "gemini"];
const TEXT = { type: "string" };
const OBJECT = { type: "object", properties: { a: TEXT } };
const USER = { role: "user", content: "hi" };

/** The error of the model, or undefined where it answers. */
async function refusalOf(
  profile: ProviderProfile,
  body: { tools?: object[]; messages?: object[] },
) {
  const model = await startOfflineModel({ rules: [() => ({ text: "ok" })], profile });
  onTestFinished(model.close);
  const request = { model: "any", messages: [USER], ...body };
  const answer = await fetch(`${model.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify(request),
  });
  const { error } = (await answer.json()) as { error?: { message: string } };
  expect(answer.status).toBe(error ? 400 : 200);
  return error?.message;
}

const toTool = (parameters: object, name = "f") => ({
  type: "function",
  function: { name, parameters },
});
const call = (id: string) => ({
  role: "assistant",
  tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
});
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "done" });

const ALL = PROFILES;
const REFUSED: [
  what: string,
  body: { tools?: object[]; messages?: object[] },
  by: readonly string[],
][] = [
  ["a name with a dot", { tools: [toTool(OBJECT, "a.b")] }, ["openai", "anthropic"]],
  ["a name that begins with a digit", { tools: [toTool(OBJECT, "1a")] }, ["gemini"]],
  ["a name of 65 characters", { tools: [toTool(OBJECT, "a".repeat(65))] }, ["openai", "gemini"]],
  ["a name of 129 characters", { tools: [toTool(OBJECT, "a".repeat(129))] }, ALL],
  ["the same name twice", { tools: [toTool(OBJECT), toTool(OBJECT)] }, ALL],
  ["no type at the top", { tools: [toTool({ properties: {} })] }, ALL],
  ["a union at the top", { tools: [toTool({ ...OBJECT, anyOf: [{}] })] }, ["openai", "anthropic"]],
  ["a not at the top", { tools: [toTool({ ...OBJECT, not: {} })] }, ["openai"]],
  ["no properties", { tools: [toTool({ type: "object" })] }, ["openai"]],
  [
    "no properties deeper down",
    { tools: [toTool({ type: "object", properties: { a: { type: "object" } } })] },
    ["openai"],
  ],
  [
    "a list without items",
    { tools: [toTool({ type: "object", properties: { a: { type: "array" } } })] },
    ["openai", "gemini"],
  ],
  [
    "a property with a space",
    { tools: [toTool({ type: "object", properties: { "a b": TEXT } })] },
    ["anthropic"],
  ],
  [
    "an id of 41 characters",
    { messages: [USER, call("x".repeat(41)), result("x".repeat(41))] },
    ["openai"],
  ],
  ["an id with a dot", { messages: [USER, call("a.b"), result("a.b")] }, ["anthropic"]],
  ["a call without an answer", { messages: [USER, call("1"), USER] }, ALL],
  ["a call without an answer at the end", { messages: [USER, call("1")] }, ALL],
  ["an answer without a call", { messages: [USER, result("1")] }, ALL],
  [
    "an answer to an earlier turn",
    { messages: [USER, call("1"), result("1"), USER, result("1")] },
    ALL,
  ],
];

test.each(REFUSED)(
  "A request with %s is refused by the providers that refuse it.",
  async (_, body, by) => {
    const refusals = await Promise.all(PROFILES.map((profile) => refusalOf(profile, body)));
    expect(PROFILES.filter((_, at) => refusals[at])).toEqual(by);
    expect(
      refusals.flatMap((message) => message ?? []).every((message) => message.length > 30),
    ).toBe(true);
  },
);

test.each(PROFILES)("A request that keeps the rules is answered by %s.", async (profile) => {
  const messages = [USER, call("call_1"), result("call_1"), USER];
  expect(await refusalOf(profile, { tools: [toTool(OBJECT)], messages })).toBeUndefined();
});
