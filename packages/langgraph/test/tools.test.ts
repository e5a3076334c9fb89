import { ToolMessage } from "@langchain/core/messages";
import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
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

  it("a call runs its whole chain between two calls of the model", async () => {
    const { server, model, answer } = await ask({
      a: { answer: () => asking("b", { k: 1 }, "on to b") },
      b: {},
    });
    expect(server.seen.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["a", { n: 1 }],
      ["b", { k: 1 }],
    ]);
    expect(model.read).toHaveLength(2);
    expect(answer?.status).toBe("success");
    expect(answer?.content).toEqual([
      { type: "text", text: "on to b" },
      { type: "text", text: "b done" },
    ]);
  });

  it("the artifact holds the hops, structured content, user content and _meta", async () => {
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
    expect(answer?.text).toBe("The result was shown to the user.");
    expect(answer?.artifact).toMatchObject({
      ended: "complete",
      hops: [{ server: "bank", tool: "a", origin: { by: "model", toolCallId: "c1" } }],
      structuredContent: { pin: 1234 },
      userContent: [forUser],
      meta: { widget: "pin" },
      userOnly: true,
    });
  });

  it("an isError result is a message with status error and its structured details", async () => {
    const { answer } = await ask({ a: { answer: () => REFUSAL } });
    expect(answer?.status).toBe("error");
    expect(answer?.text).toContain("too little money");
    expect(answer?.text).toContain('{"missing":12}');
    expect(answer?.artifact).toMatchObject({ structuredContent: { missing: 12 } });
  });

  it("arguments that break the server's schema are answered by the door and not sent", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "integer", minimum: 2 } } };
    const { server, answer } = await ask({ a: { definition: { inputSchema } } });
    expect(server.calls).toEqual([]);
    expect(answer?.status).toBe("error");
    expect(answer?.text).toContain("/n");
  });

  it("the model is offered the server's own schema, and no app-only tool", async () => {
    const inputSchema = {
      type: "object",
      properties: { n: { type: "integer", minimum: 1 } },
      oneOf: [{ required: ["n"] }, { required: ["m"] }],
    };
    const { model } = await ask({
      a: { definition: { inputSchema, description: "Does a." } },
      hidden: { definition: { _meta: { ui: { visibility: ["app"] } } } },
    });
    expect(model.bound).toEqual([
      {
        type: "function",
        function: { name: "a", description: "Does a.", parameters: inputSchema },
      },
    ]);
  });

  it("progress and hops reach the custom stream", async () => {
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
      { type: "toolrail-hop", toolCallId: "c1", tool: "bank.a", isError: false },
      { type: "toolrail-hop", toolCallId: "c1", tool: "bank.b", isError: false },
    ]);
  });

  it("an abort of the graph aborts the call at the server", async () => {
    const controller = new AbortController();
    const { host, server } = await openBank({
      a: {
        answer: ({ signal }) => {
          controller.abort(new Error("enough"));
          return new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      },
    });
    const graph = build({
      model: new ScriptedModel([calling("a")], "done"),
      tools: createTools(host),
    });
    await expect(graph.invoke(QUESTION, { signal: controller.signal })).rejects.toThrow();
    await expect.poll(() => server.seen[0]?.signal.aborted).toBe(true);
  });
});

describe("tool.invoke", () => {
  it("answers a tool call with a message", async () => {
    const { host } = await openBank({ a: {} });
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    expect(ToolMessage.isInstance(message)).toBe(true);
    expect(message).toMatchObject({ content: "a done", tool_call_id: "c1", status: "success" });
  });

  it("answers bare arguments with the content", async () => {
    const { host } = await openBank({ a: {} });
    expect(await toolOf(createTools(host), "a").invoke({})).toBe("a done");
  });

  it("answers arguments that no JSON text can hold, whoever may be asked", async () => {
    let args: Record<string, unknown> = {};
    for (let level = 0; level < 20_000; level++) args = { args };
    const { host, server } = await openBank({ a: {} }, { authorize: () => "ask" });
    const message = await toolOf(createTools(host), "a").invoke(calling("a", args));
    expect(message).toMatchObject({ status: "error", artifact: { ended: "invalid-arguments" } });
    expect(server.calls).toEqual([]);
  });

  it("answers bare arguments with a message where there is an error to tell", async () => {
    const { host } = await openBank({ a: { answer: () => REFUSAL } });
    const message = await toolOf(createTools(host), "a").invoke({});
    expect(message).toMatchObject({ status: "error", artifact: { ended: "complete" } });
  });

  it("keeps what was done of a chain that breaks off, and says why", async () => {
    const { host } = await openBank({ a: { answer: () => asking("nowhere") } });
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    expect(message).toMatchObject({
      status: "error",
      artifact: { ended: "unknown-tool", hops: [{ tool: "a" }], error: { code: "unknown-tool" } },
    });
    expect(message.text).toContain("more to come");
  });

  it("rethrows the reason of an abort as it is", async () => {
    const { host, server } = await openBank({ a: {} });
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const invoked = toolOf(createTools(host), "a").invoke(calling("a"), { signal });
    await expect(invoked).rejects.toBe(reason);
    expect(server.calls).toEqual([]);
  });

  it("stops waiting after the timeout of its config", async () => {
    const { host } = await openBank({ a: { answer: () => new Promise(() => {}) } });
    const invoked = toolOf(createTools(host), "a").invoke(calling("a"), { timeout: 20 });
    await expect(invoked).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("tells the model of a timeout of the host", async () => {
    const { host } = await openBank(
      { a: { answer: () => new Promise(() => {}) } },
      { limits: { callTimeoutMs: 20 } },
    );
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    expect(message).toMatchObject({ status: "error", artifact: { error: { code: "timeout" } } });
  });

  it("passes media on as standard blocks that the provider packages know", async () => {
    const image = { type: "image", data: "aW1n", mimeType: "image/png" };
    const { host } = await openBank({ a: { answer: () => ({ content: [image] }) } });
    const message = await toolOf(createTools(host), "a").invoke(calling("a"));
    expect(message.content).toEqual([{ type: "text", text: "(image/png)" }, image]);
    expect(message.response_metadata).toEqual({ output_version: "v1" });
    expect(message.contentBlocks).toContainEqual(image);
  });

  it("does not run a pattern of the server in LangChain's validator", async () => {
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
  it("holds the tools that a filter lets through", async () => {
    const { host } = await openBank({ a: {}, b: {} });
    expect(createTools(host, { tools: ["bank.b"] }).map(({ name }) => name)).toEqual(["b"]);
    expect(createTools(host, { tools: [] })).toEqual([]);
  });

  it("names each tool apart where two servers have one of that name", async () => {
    const [one, two] = [await createTestServer({ a: {} }), await createTestServer({ a: {} })];
    const host = await createHost({ servers: { one: one.client, two: two.client } });
    const tools = createTools(host);
    expect(tools.map(({ name }) => name)).toEqual(["one_a", "two_a"]);
    await toolOf(tools, "two_a").invoke({});
    expect([one.calls, two.calls]).toEqual([[], ["a"]]);
  });

  it("shows structured content as the option says", async () => {
    const { host } = await openBank({ a: { answer: () => ({ structuredContent: { n: 1 } }) } });
    const [tool] = createTools(host, { structured: "never" });
    expect(await tool?.invoke({})).toBe("The tool answered without content.");
  });
});
