import { ToolMessage } from "@langchain/core/messages";
import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { artifactOf, chainMiddleware, createTools } from "../src/index.ts";
import { kinds } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const REFUSAL = {
  content: [{ type: "text", text: "too little money" }],
  structuredContent: { missing: 12 },
  isError: true,
};

/** The tool of that name. */
function toolOf(tools: ReturnType<typeof createTools>, name: string) {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}

describe.each(kinds)("in $kind", ({ build }) => {
  async function ask(...parameters: Parameters<typeof openBank>) {
    const { host, server } = await openBank(...parameters);
    const model = new ScriptedModel([calling("a", { n: 1 })], "done");
    const graph = build({ model, tools: createTools(host) });
    const { messages } = await graph.invoke(QUESTION);
    return { server, model, messages, answer: toolMessages(messages)[0] };
  }

  it("The artifact holds the hops with their raw results, and no model reads it.", async () => {
    const forUser = { type: "text", text: "1234", annotations: { audience: ["user"] } };
    const { answer } = await ask({
      a: {
        answer: () => ({
          content: [forUser],
          structuredContent: { pin: 1234 },
          _meta: { widget: "pin" },
        }),
      },
    });
    expect(answer?.text).toBe("The result is for the user alone.");
    const artifact = answer && artifactOf(answer);
    expect(artifact).toEqual({
      runId: expect.any(String),
      ended: "complete",
      hops: [expect.objectContaining({ origin: { by: "model", toolCallId: "c1" } })],
    });
    expect(artifact?.hops[0]?.result).toEqual({
      content: [forUser],
      structuredContent: { pin: 1234 },
      _meta: { widget: "pin" },
    });
  });

  it("An isError result is a message with status error and its structured details.", async () => {
    const { answer } = await ask({ a: { answer: () => REFUSAL } });
    expect(answer?.status).toBe("error");
    expect(answer?.text).toContain("too little money");
    expect(answer?.text).toContain('{"missing":12}');
  });

  it("The model is offered a schema that providers take, and no app-only tool.", async () => {
    const properties = { n: { type: "integer", minimum: 1 }, m: { type: "string" } };
    const oneOf = [{ required: ["n"] }, { required: ["m"] }];
    const inputSchema = { type: "object", properties, oneOf };
    const description = "Some combinations of arguments may be refused.";
    const { model } = await ask({
      a: { definition: { inputSchema, description: "Does a." } },
      hidden: { definition: { _meta: { ui: { visibility: ["app"] } } } },
    });
    expect(model.bound).toEqual([
      {
        type: "function",
        function: {
          name: "a",
          description: "Does a.",
          parameters: { type: "object", description, properties },
        },
      },
    ]);
  });

  it("Progress and finished calls reach the custom stream.", async () => {
    const { host } = await openBank({
      a: {
        answer: async (call) => {
          await call.progress(50);
          return asking("b");
        },
      },
      b: {},
    });
    const graph = build({
      model: new ScriptedModel([calling("a")], "done"),
      tools: createTools(host),
    });
    const events: unknown[] = [];
    for await (const event of await graph.stream(QUESTION, { streamMode: "custom" })) {
      events.push(event);
    }
    expect(events).toMatchObject([
      { type: "toolrail-progress", toolCallId: "c1", tool: "bank.a", progress: 50 },
      { type: "toolrail-hop", toolCallId: "c1", tool: "bank.a", ok: true },
      { type: "toolrail-hop", toolCallId: "c1", tool: "bank.b", ok: true },
    ]);
  });
});

describe("tool.invoke", () => {
  it("A tool call is answered with a message.", async () => {
    const { host } = await openBank({ a: {} });
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    expect(ToolMessage.isInstance(message)).toBe(true);
    expect(message).toMatchObject({ content: "a done", tool_call_id: "c1", status: "success" });
  });

  it("Bare arguments are answered with the content.", async () => {
    const { host } = await openBank({ a: {} });
    expect(await toolOf(createTools(host), "a").invoke({})).toBe("a done");
  });

  it("Arguments that no JSON text can hold are refused, even if a person may be asked.", async () => {
    let args: Record<string, unknown> = {};
    for (let level = 0; level < 20_000; level++) args = { args };
    const { host, server } = await openBank({ a: {} }, { authorize: () => "ask" });
    const message = await toolOf(createTools(host), "a").invoke(calling("a", args));
    expect(message).toMatchObject({ status: "error", artifact: { ended: "invalid-arguments" } });
    expect(server.calls).toEqual([]);
  });

  it("Bare arguments are answered with a message if there is an error to tell.", async () => {
    const { host } = await openBank({ a: { answer: () => REFUSAL } });
    const message = await toolOf(createTools(host), "a").invoke({});
    expect(message).toMatchObject({ status: "error", artifact: { ended: "complete" } });
  });

  it("The reason of an abort is thrown as it is.", async () => {
    const { host, server } = await openBank({ a: {} });
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const invoked = toolOf(createTools(host), "a").invoke(calling("a"), { signal });
    await expect(invoked).rejects.toBe(reason);
    expect(server.calls).toEqual([]);
  });

  it("A call stops waiting after the timeout of its config.", async () => {
    const { host } = await openBank({ a: { answer: () => new Promise(() => {}) } });
    const invoked = toolOf(createTools(host), "a").invoke(calling("a"), { timeout: 20 });
    await expect(invoked).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("The model reads that a call of the host took too long.", async () => {
    const { host } = await openBank(
      { a: { answer: () => new Promise(() => {}) } },
      { limits: { callTimeoutMs: 20 } },
    );
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    expect(message).toMatchObject({
      status: "error",
      artifact: { error: { code: "outcome-unknown" } },
    });
  });

  it("Images are passed on in the form that all provider packages know.", async () => {
    const image = { type: "image", data: "aW1n", mimeType: "image/png" };
    const { host } = await openBank({ a: { answer: () => ({ content: [image] }) } });
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    const shown = { type: "image_url", image_url: { url: "data:image/png;base64,aW1n" } };
    expect(message.content).toEqual([{ type: "text", text: "(image/png)" }, shown]);
    expect(message.response_metadata).toEqual({});
  });

  it("A pattern of the server is not run in LangChain's validator.", async () => {
    const inputSchema = {
      type: "object",
      properties: { s: { type: "string", pattern: "(a+)+$" } },
    };
    const { host } = await openBank({ a: { definition: { inputSchema } } });
    const call = calling("a", { s: `${"a".repeat(1_000)}!` });
    const message = await toolOf(createTools(host), "a").invoke(call);
    expect(message).toMatchObject({ artifact: { ended: "invalid-arguments" } });
  });
});

describe("the list", () => {
  it("The list holds the tools that a filter lets through.", async () => {
    const { host } = await openBank({ a: {}, b: {} });
    expect(createTools(host, { tools: ["bank.b"] }).map(({ name }) => name)).toEqual(["b"]);
    expect(createTools(host, { tools: [] })).toEqual([]);
  });

  it("The list names each tool apart if two servers have one of that name.", async () => {
    const [one, two] = [await createTestServer({ a: {} }), await createTestServer({ a: {} })];
    const host = await createHost({ servers: { one: one.client, two: two.client } });
    const tools = createTools(host);
    expect(tools.map(({ name }) => name)).toEqual(["one_a", "two_a"]);
    await toolOf(tools, "two_a").invoke({});
    expect([one.calls, two.calls]).toEqual([[], ["a"]]);
  });
});

it("A promise of a host, such as when `await` was forgotten, is refused by name.", async () => {
  const promise = openBank({ a: {} });
  for (const make of [createTools, chainMiddleware]) {
    expect(() => make(promise as never)).toThrow(/pass what `await createHost/);
  }
  await promise;
});
