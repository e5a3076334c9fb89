import type { Host, HostOptions } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../core/src/call/store.ts";
import {
  createTools,
  type HopResult,
  shownToUser,
  type ToolCallResult,
  withChaining,
} from "../src/index.ts";
import { CHAIN, FOR_USER, NUMBER, openBank, text } from "./bank.ts";
import { type Major, majors, type ScriptedModel, scriptModel } from "./majors.ts";
import { answerTo, toolOutputs } from "./reading.ts";
import { runs } from "./runs.ts";

describe.each(majors)("createTools on $name", (major: Major) => {
  const stopWhen = major.sdk.stepCountIs(5);
  const settingsOf = (host: Host, { model }: ScriptedModel) => {
    return { model, tools: createTools(host), prompt: "hi", stopWhen };
  };

  it.each(runs)("A whole chain runs inside one call ($name).", async ({ run }) => {
    const { server, host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const result = await run(major, settingsOf(host, model));
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.calls).toBe(2);
    expect(result.text).toBe("final");
    expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({
      ended: "complete",
      isError: false,
      hops: [
        { tool: "bank.a", ok: true },
        { tool: "bank.b", ok: true },
        { tool: "bank.c", ok: true },
      ],
    });
    expect(toolOutputs(model.prompts.at(-1))).toEqual([
      {
        type: "text",
        value: "a:\na result\nThen b was called:\nb result\nThen c was called:\nc result",
      },
    ]);
  });

  it("A model that gives each of its calls the same id makes two equal calls in turn, and both are made.", async () => {
    let made = 0;
    const answer = () => ({ content: [text(`ticket ${++made}`)] });
    const store = new MemoryStore({ maxBytes: 1e6, now: Date.now });
    const { host } = await openBank({ book: { answer } }, { store });
    for (const compose of [
      (own: { model: ScriptedModel["model"] }) => {
        return { ...own, tools: createTools(host, { conversation: "chat-1" }), stopWhen };
      },
      (own: { model: ScriptedModel["model"] }) => {
        return withChaining(host, { ...own, chaining: { conversation: "chat-2" } });
      },
    ]) {
      const call = [{ tool: "book", id: "call_0" }];
      const scripted = scriptModel(major, call, call, ["both are booked"]);
      const prompt = "Book one, and then another.";
      await major.sdk.generateText({ ...compose(scripted), prompt });
      expect(toolOutputs(scripted.prompts.at(-1))).toMatchObject([
        { value: `ticket ${made - 1}` },
        { value: `ticket ${made}` },
      ]);
    }
    expect(made).toBe(4);
  });

  it("Authorize is asked about each call, and learns which call of the model it belongs to.", async () => {
    const origins = new Map<string, unknown>();
    const { host } = await openBank(CHAIN, {
      authorize: ({ tool, origin }) => {
        origins.set(tool.name, origin);
        return "allow";
      },
    });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await major.sdk.generateText(settingsOf(host, model));
    expect([...origins.values()]).toMatchObject([
      { by: "model", toolCallId: "call-1" },
      { by: "chain", depth: 1 },
      { by: "chain", depth: 2 },
    ]);
  });

  it("A chain is one result in the stream, with all its hops.", async () => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const { fullStream } = major.sdk.streamText(settingsOf(host, model));
    const results: unknown[] = [];
    for await (const part of fullStream) if (part.type === "tool-result") results.push(part.output);
    expect(results).toMatchObject([{ ended: "complete", hops: [{}, {}, {}] }]);
  });

  it("Arguments that break the schema are the SDK's invalid-input error.", async () => {
    const { server, host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "b", input: { id: "x" } }], ["sorry"]);
    const result = await major.sdk.generateText(settingsOf(host, model));
    expect(server.calls).toEqual([]);
    const [call] = result.steps[0]?.toolCalls ?? [];
    expect(call).toMatchObject({ invalid: true });
    expect(toolOutputs(model.prompts.at(-1))).toEqual([
      { type: "error-text", value: expect.stringMatching(/bank\.b.*\/id must be number/s) },
    ]);
  });

  it("A model is offered neither app-only tools nor those that the filter leaves out.", async () => {
    const { host } = await openBank({
      a: {},
      b: {},
      hidden: { definition: { _meta: { ui: { visibility: ["app"] } } } },
    });
    expect(Object.keys(createTools(host))).toEqual(["a", "b"]);
    expect(Object.keys(createTools(host, { tools: ["bank.b"] }))).toEqual(["b"]);
    expect(Object.keys(createTools(host, { tools: () => false }))).toEqual([]);
  });

  it("The model is offered the server's schema in a form that providers take.", async () => {
    const union = { type: "object", anyOf: [NUMBER.inputSchema, { properties: { id: {} } }] };
    const { host, server } = await openBank({
      a: { definition: NUMBER },
      b: { definition: { inputSchema: union } },
      c: {},
    });
    const model = scriptModel(major, [{ tool: "b", input: { id: "x" } }], ["final"]);
    await major.sdk.generateText(settingsOf(host, model));
    const properties = { id: { anyOf: [{ type: "number" }, {}] } };
    const description = "Some combinations of arguments may be refused.";
    expect(model.model.doGenerateCalls[0]?.tools).toMatchObject([
      { name: "a", inputSchema: NUMBER.inputSchema },
      { name: "b", inputSchema: { type: "object", description, properties } },
      { name: "c", inputSchema: { type: "object", properties: {} } },
    ]);
    expect(server.calls).toEqual(["b"]);
  });

  it("Images and PDF files become the SDK's own parts, and media that providers reject a line.", async () => {
    const data = "AAAAcGljdHVyZQ==";
    const { host } = await openBank({
      a: {
        answer: () => ({
          content: [
            text("see"),
            { type: "image", data, mimeType: "image/png" },
            { type: "audio", data, mimeType: "audio/wav" },
            { type: "resource", resource: { uri: "x://1", text: "inline" } },
            {
              type: "resource",
              resource: { uri: "x://2", blob: data, mimeType: "application/pdf" },
            },
            { type: "resource_link", uri: "https://evil.example/x", name: "link" },
          ],
        }),
      },
    });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await major.sdk.generateText(settingsOf(host, model));
    const file = (mediaType: string) =>
      major.name === "ai 7"
        ? { type: "file", mediaType, data: { type: "data", data } }
        : { type: mediaType === "image/png" ? "image-data" : "file-data", mediaType, data };
    expect(toolOutputs(model.prompts.at(-1))).toEqual([
      {
        type: "content",
        value: [
          { type: "text", text: "see" },
          expect.objectContaining(file("image/png")),
          { type: "text", text: "(content of type audio/wav left out)" },
          { type: "text", text: "<x://1>\ninline" },
          { type: "text", text: "<x://2>" },
          expect.objectContaining(file("application/pdf")),
          { type: "text", text: "link <https://evil.example/x>" },
        ],
      },
    ]);
  });

  it("No user content and no _meta reach the browser or a later conversion without tools.", async () => {
    const { host } = await openBank({
      a: {
        answer: () => ({
          content: [text("for both"), text("SECRET", FOR_USER)],
          _meta: { nextTool: { tool: "b", arguments: { key: "HIDDEN" } }, private: "HIDDEN" },
        }),
      },
      b: { answer: () => ({ content: [text("SECRET", FOR_USER)] }) },
    });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const results: ToolCallResult[] = [];
    const result = major.sdk.streamText({
      ...settingsOf(host, model),
      tools: createTools(host, { onResult: (found) => void results.push(found) }),
    });
    const chunks: unknown[] = [];
    const [seen, kept] = result.toUIMessageStream().tee();
    for await (const chunk of seen) chunks.push(chunk);
    let message: Parameters<typeof major.sdk.convertToModelMessages>[0][number] | undefined;
    for await (const state of major.sdk.readUIMessageStream({ stream: kept })) message = state;
    const history = await major.sdk.convertToModelMessages(message ? [message] : []);
    for (const place of [chunks, history, model.prompts]) {
      expect(JSON.stringify(place)).toContain("for both");
      expect(JSON.stringify(place)).not.toMatch(/SECRET|HIDDEN|_meta|nextTool/);
    }
    expect(JSON.stringify(results[0]?.chain)).toContain("SECRET");
  });

  it("A run ends without another model call if everything was shown to the user.", async () => {
    const { host } = await openBank({
      a: { answer: () => ({ content: [text("12.34", FOR_USER)] }) },
    });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const result = await major.sdk.generateText({
      ...settingsOf(host, model),
      stopWhen: [stopWhen, shownToUser()],
    });
    expect(model.calls).toBe(1);
    expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({ userOnly: true });
    expect(shownToUser()({ steps: [] })).toBe(false);
  });

  it("Listeners are called once for each hop and for the chain, and may throw.", async () => {
    const { server, host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const results: ToolCallResult[] = [];
    const hops: HopResult[] = [];
    const tools = createTools(host, {
      onResult: (result) => {
        results.push(result);
        throw new Error("listener");
      },
      onHop: (hop) => {
        hops.push(hop);
        throw new Error("listener");
      },
    });
    const { text: answer } = await major.sdk.generateText({ ...settingsOf(host, model), tools });
    expect(answer).toBe("final");
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(
      results.map(({ toolCallId, tool, chain }) => [toolCallId, tool.id, chain.ended]),
    ).toEqual([["call-1", "bank.a", "complete"]]);
    expect(hops.map(({ toolCallId, hop }) => [toolCallId, hop.tool])).toEqual([
      ["call-1", "a"],
      ["call-1", "b"],
      ["call-1", "c"],
    ]);
  });

  it("An abort in the middle of a chain throws the signal's own reason.", async () => {
    const reason = new Error("the user went away");
    const controller = new AbortController();
    const { server, host } = await openBank({
      ...CHAIN,
      b: {
        definition: NUMBER,
        answer: () => {
          controller.abort(reason);
          return new Promise(() => {});
        },
      },
    });
    const results: ToolCallResult[] = [];
    const tools = createTools(host, { onResult: (result) => void results.push(result) });
    const { signal: abortSignal } = controller;
    const running = tools.a?.execute({}, { toolCallId: "x", messages: [], abortSignal });
    await expect(running).rejects.toBe(reason);
    expect(server.calls).toEqual(["a", "b"]);
    expect(results[0]?.chain).toMatchObject({ ended: "aborted", hops: [{ tool: "a" }] });
  });

  it.each(runs)("A call of $name that authorize denies is not made.", async ({ run }) => {
    const asked: string[] = [];
    const authorize = ({ tool }: { tool: { id: string } }) => {
      asked.push(tool.id);
      return { deny: "not today" };
    };
    const { server, host } = await openBank({ a: {} }, { authorize });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const settings = settingsOf(host, model);
    await run(major, settings);
    expect([[...new Set(asked)], server.calls]).toEqual([["bank.a"], []]);
  });

  it("A check of one run is not used by another with the same call id.", async () => {
    let answer: "allow" | { deny: string } = "allow";
    const { server, host } = await openBank({ a: {} }, { authorize: () => answer });
    const { a } = createTools(host);
    await a?.needsApproval({}, { toolCallId: "call-1", messages: [] });
    answer = { deny: "not for you" };
    await a?.execute({}, { toolCallId: "call-1", messages: [] });
    expect(server.calls).toEqual([]);
  });

  it("A tool of the application may call one itself, without messages.", async () => {
    const { server, host } = await openBank(CHAIN);
    const { a } = createTools(host);
    const call = { toolCallId: "program-1" } as never;
    expect(await a?.needsApproval({}, call)).toBe(false);
    expect(await a?.execute({}, call)).toMatchObject({ ended: "complete", hops: [{}, {}, {}] });
    expect(server.calls).toEqual(["a", "b", "c"]);
  });

  describe("if authorize asks", () => {
    const asks: Partial<HostOptions> = { authorize: () => "ask" };

    it("The SDK asks for approval before the call, which is made once when it is given.", async () => {
      const { server, host } = await openBank({ a: {} }, asks);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const settings = { model: model.model, tools: createTools(host), stopWhen };
      const user: ModelMessage = { role: "user", content: "hi" };
      const first = await runs[0]?.run(major, { ...settings, messages: [user] });
      expect(server.calls).toEqual([]);
      const messages = [user, ...(first?.messages ?? [])];
      const yes = answerTo(messages, true);
      const second = await runs[0]?.run(major, { ...settings, messages: [...messages, yes] });
      expect(server.calls).toEqual(["a"]);
      expect(second?.text).toBe("final");
    });

    it("No call is made when the approval is refused.", async () => {
      const { server, host } = await openBank({ a: {} }, asks);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const settings = { model: model.model, tools: createTools(host), stopWhen };
      const user: ModelMessage = { role: "user", content: "hi" };
      const first = await runs[0]?.run(major, { ...settings, messages: [user] });
      const messages = [user, ...(first?.messages ?? [])];
      const no = answerTo(messages, false);
      await runs[0]?.run(major, { ...settings, messages: [...messages, no] });
      expect(server.calls).toEqual([]);
    });

    it.each([
      ["other arguments", { input: { to: "me" } }, {}],
      ["another tool", { toolName: "b" }, {}],
      ["another call", {}, { toolCallId: "other" }],
      ["a refusal", {}, { approved: false }],
    ])("An approval of %s does not count for this call.", async (_, call, other) => {
      const { server, host } = await openBank({ a: {}, b: {} }, asks);
      const asked = { toolCallId: "x", approved: true, ...other };
      const messages = [
        {
          role: "assistant",
          content: [
            { type: "tool-call", toolCallId: "x", toolName: "a", input: {}, ...call },
            { type: "tool-approval-request", approvalId: "1", toolCallId: asked.toolCallId },
          ],
        },
        {
          role: "tool",
          content: [{ type: "tool-approval-response", approvalId: "1", approved: asked.approved }],
        },
      ];
      await createTools(host).a?.execute({}, { toolCallId: "x", messages });
      expect(server.calls).toEqual([]);
    });
  });
});
