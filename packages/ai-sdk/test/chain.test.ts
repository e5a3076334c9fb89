import { createHost, type Host, type HostOptions } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { asking, createTestServer, type TestTool } from "../../core/test/servers.ts";
import { type HopResult, llmSteps, withChaining } from "../src/index.ts";
import { type Major, majors, type ScriptedModel, scriptModel } from "./majors.ts";
import { toolOutputs, track } from "./reading.ts";
import { runs } from "./runs.ts";

const FOR_USER = { annotations: { audience: ["user"] } };
const NUMBER = {
  inputSchema: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
};
const APP_ONLY = { definition: { _meta: { ui: { visibility: ["app"] } } } };
const text = (value: string, extra = {}) => ({ type: "text", text: value, ...extra });

async function setUp(tools: Record<string, TestTool>, options: Partial<HostOptions> = {}) {
  const server = await createTestServer(tools);
  const host = await createHost({ servers: { bank: server.client }, ...options });
  return { server, host };
}

const CHAIN: Record<string, TestTool> = {
  a: { answer: () => asking("b", { id: 1 }, "a result") },
  b: { definition: NUMBER, answer: () => asking("c", { id: 2 }, "b result") },
  c: { definition: NUMBER, answer: () => ({ content: [text("c result")] }) },
};

describe.each(majors)("withChaining on $name", (major: Major) => {
  const generate = runs[0]?.run ?? (() => Promise.reject(new Error("no run")));

  function chained(host: Host, model: ScriptedModel, more = {}) {
    return { prompt: "hi", ...withChaining(host, { model: model.model, ...more }) };
  }

  it.each(runs)(
    "makes each hop a step of $name, and asks no model between two",
    async ({ run }) => {
      const { server, host } = await setUp(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const result = await run(major, chained(host, model));
      expect(track(result)).toEqual(["model[a]", "hop[b]", "hop[c]", "model[]"]);
      expect(server.calls).toEqual(["a", "b", "c"]);
      expect(server.seen.map((call) => call.arguments)).toEqual([{}, { id: 1 }, { id: 2 }]);
      expect(model.calls).toBe(2);
      expect(result.totalTokens).toBe(30);
      expect(result.text).toBe("final");
    },
  );

  it("tells the door whose idea each call is, in one run with its true depth", async () => {
    const calls: unknown[] = [];
    const { host } = await setUp(CHAIN, {
      authorize: ({ tool, origin, runId }) => {
        calls.push({ tool: tool.name, origin, runId });
        return "allow";
      },
    });
    const hops: HopResult[] = [];
    const onHop = (hop: HopResult) => void hops.push(hop);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await generate(major, chained(host, model, { chaining: { onHop } }));
    const [first, second] = hops;
    expect(calls).toContainEqual({
      tool: "a",
      origin: { by: "model", toolCallId: "call-1" },
      runId: first?.hop.runId,
    });
    expect(calls).toContainEqual({
      tool: "c",
      origin: { by: "chain", causedBy: second?.hop.callId, depth: 2 },
      runId: first?.hop.runId,
    });
  });

  it("runs parallel chains side by side, each hop once", async () => {
    const { server, host } = await setUp({
      ...CHAIN,
      x: { answer: () => asking("y", {}, "x result") },
      y: {},
    });
    const model = scriptModel(major, [{ tool: "a" }, { tool: "x" }], ["final"]);
    const result = await generate(major, chained(host, model));
    expect(track(result)).toEqual(["model[a,x]", "hop[b,y]", "hop[c]", "model[]"]);
    expect(server.calls.toSorted()).toEqual(["a", "b", "c", "x", "y"]);
  });

  describe("the history that a real model reads", () => {
    it("shows each chain as one call, its results with the call that it came of", async () => {
      const { host } = await setUp({
        ...CHAIN,
        x: { answer: () => asking("y", {}, "x result") },
        y: {},
      });
      const model = scriptModel(major, [{ tool: "a" }, { tool: "x" }], ["final"]);
      await generate(major, chained(host, model));
      const prompt = model.prompts.at(-1) ?? [];
      expect(toolOutputs(prompt)).toMatchObject([
        { type: "text", value: "a result\nb result\nc result" },
        { type: "text", value: "x result\ny done" },
      ]);
      expect(JSON.stringify(prompt)).not.toContain("hop-");
    });

    it("shows each hop as a call where the option asks for it", async () => {
      const { host } = await setUp(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(host, model, { chaining: { history: "faithful" } }));
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        { value: "a result" },
        { value: "b result" },
        { value: "c result" },
      ]);
    });

    it("leaves out our placeholders where there is something else to read", async () => {
      const { host } = await setUp({
        a: { answer: () => ({ ...asking("b"), content: [text("locked", FOR_USER)] }) },
        b: { answer: () => ({ content: [text("ticket 7")] }) },
      });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(host, model));
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        { type: "text", value: "ticket 7" },
      ]);
    });

    it("is an error where the last hop is one, and none where a hop mended it", async () => {
      const broken = { answer: () => ({ content: [text("broken")], isError: true }) };
      const mended = { answer: () => ({ ...asking("c", { id: 1 }, "broken"), isError: true }) };
      for (const [b, type] of [
        [broken, "error-text"],
        [mended, "text"],
      ] as const) {
        const { host } = await setUp({ ...CHAIN, a: { answer: () => asking("b") }, b });
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        await generate(major, chained(host, model));
        expect(toolOutputs(model.prompts.at(-1))).toMatchObject([{ type }]);
      }
    });

    it("keeps the turns of earlier runs folded", async () => {
      const { host } = await setUp(CHAIN);
      const user: ModelMessage = { role: "user", content: "hi" };
      const first = scriptModel(major, [{ tool: "a" }], ["final"]);
      const { prompt: _, ...settings } = chained(host, first);
      const { messages } = await generate(major, { ...settings, messages: [user] });
      const second = scriptModel(major, [{ tool: "a" }], ["final"]);
      const { prompt: __, ...again } = chained(host, second);
      await generate(major, { ...again, messages: [user, ...messages, user] });
      for (const prompt of second.prompts) expect(JSON.stringify(prompt)).not.toContain("hop-");
      const whole = "a result\nb result\nc result";
      expect(toolOutputs(second.prompts.at(-1))).toMatchObject([
        { value: whole },
        { value: whole },
      ]);
    });
  });

  describe("the end of a run", () => {
    it("comes without a last model call where everything was for the user", async () => {
      for (const { run } of runs) {
        const { host } = await setUp({
          a: { answer: () => ({ ...asking("b"), content: [text("locked", FOR_USER)] }) },
          b: { answer: () => ({ content: [text("call us", FOR_USER)] }) },
        });
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        const result = await run(major, chained(host, model));
        expect(track(result)).toEqual(["model[a]", "hop[b]"]);
        expect(model.calls).toBe(1);
      }
    });

    it("asks the model where anything was for it, or where the option says so", async () => {
      const forUser = { answer: () => ({ content: [text("12.34", FOR_USER)] }) };
      const { host } = await setUp({ a: { answer: () => asking("b") }, b: forUser });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(host, model));
      expect(model.calls).toBe(2);
      const { host: other } = await setUp({ a: forUser });
      const asked = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(other, asked, { chaining: { endWhenShown: false } }));
      expect(asked.calls).toBe(2);
    });

    it("asks the model where another call of the same turn failed", async () => {
      const { host } = await setUp({
        a: { answer: () => ({ content: [text("12.34", FOR_USER)] }) },
        b: { definition: NUMBER },
      });
      const model = scriptModel(major, [{ tool: "a" }, { tool: "b" }], ["final"]);
      await generate(major, chained(host, model));
      expect(model.calls).toBe(2);
    });

    it.each([1, 2, 3])("counts no hop against a budget of %i steps", async (count) => {
      for (const stopWhen of [major.sdk.stepCountIs(count), llmSteps(count)]) {
        const { server, host } = await setUp(CHAIN);
        const model = scriptModel(major, [{ tool: "a" }]);
        await generate(major, chained(host, model, { stopWhen }));
        expect(model.calls).toBe(count);
        expect(server.calls).toHaveLength(3 * count);
      }
    });

    it("comes at any of the caller's conditions", async () => {
      const { host } = await setUp(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }]);
      const stopWhen = [major.sdk.stepCountIs(9), major.sdk.hasToolCall("a")];
      await generate(major, chained(host, model, { stopWhen }));
      expect(model.calls).toBe(1);
    });
  });

  describe("tools", () => {
    it("are hidden from the model where they are app-only or filtered out, and reached by hops", async () => {
      const { server, host } = await setUp({
        a: { answer: () => asking("hidden") },
        hidden: { ...APP_ONLY, answer: () => asking("other") },
        other: {},
      });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const result = await generate(
        major,
        chained(host, model, { chaining: { tools: ["bank.a"] } }),
      );
      expect(server.calls).toEqual(["a", "hidden", "other"]);
      expect(track(result)).toEqual(["model[a]", "hop[hidden]", "hop[other]", "model[]"]);
      expect(model.offered).toEqual([["a"], ["a"]]);
    });

    it("that are app-only cannot be called by the model, whatever the caller activates", async () => {
      const { server, host } = await setUp({ a: {}, hidden: APP_ONLY });
      const model = scriptModel(major, [{ tool: "hidden" }], ["final"]);
      await generate(major, chained(host, model, { activeTools: ["a", "hidden"] }));
      expect(server.calls).toEqual([]);
      expect(model.offered).toEqual([["a"], ["a"]]);
    });

    it("of the caller stay as they are, and so do activeTools and prepareStep", async () => {
      const { host } = await setUp({ ...CHAIN, z: {} });
      const seen: number[] = [];
      const local = major.sdk.tool({
        inputSchema: major.sdk.jsonSchema({ type: "object" }),
        execute: async () => "local result",
      });
      const model = scriptModel(major, [{ tool: "a" }, { tool: "local" }], ["final"]);
      const result = await generate(
        major,
        chained(host, model, {
          tools: { local, unused: local },
          activeTools: ["a", "local"],
          prepareStep: ({ stepNumber }: { stepNumber: number }) => {
            seen.push(stepNumber);
            return stepNumber > 0 ? { activeTools: ["z", "b"], temperature: 0.5 } : undefined;
          },
        }),
      );
      expect(track(result)).toEqual(["model[a,local]", "hop[b]", "hop[c]", "model[]"]);
      expect(seen).toEqual([0, 3]);
      expect(model.offered.map((names) => names.toSorted())).toEqual([
        ["a", "local"],
        ["b", "z"],
      ]);
      expect(model.model.doGenerateCalls.map(({ temperature }) => temperature)).toEqual([
        undefined,
        0.5,
      ]);
    });

    it("of one name on two servers are kept apart, by the model and by hops", async () => {
      const search = (text: string) => ({ answer: () => ({ content: [{ type: "text", text }] }) });
      const web = await createTestServer({ search: search("web result") });
      const docs = await createTestServer({
        start: { answer: () => asking("search", {}, "docs start") },
        search: search("docs result"),
      });
      const host = await createHost({ servers: { web: web.client, docs: docs.client } });
      const model = scriptModel(major, [{ tool: "start" }, { tool: "web_search" }], ["final"]);
      await generate(major, chained(host, model));
      expect(model.offered[0]?.toSorted()).toEqual(["docs_search", "start", "web_search"]);
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        { value: "docs start\ndocs result" },
        { value: "web result" },
      ]);
    });

    it("of the caller may not have the name of one of the host's", async () => {
      const { host } = await setUp(CHAIN);
      const model = scriptModel(major, ["final"]);
      expect(() => chained(host, model, { tools: { b: {} } })).toThrow(/leave out or rename b/);
    });

    it.each(["required", { type: "tool", toolName: "a" }])(
      "may be forced by toolChoice %j without harm to hops",
      async (toolChoice) => {
        const { host } = await setUp(CHAIN);
        const model = scriptModel(major, [{ tool: "a" }]);
        const settings = chained(host, model, { toolChoice, stopWhen: llmSteps(1) });
        expect(track(await generate(major, settings))).toEqual(["model[a]", "hop[b]", "hop[c]"]);
      },
    );
  });

  it("calls the caller's hooks for hops as for any other step", async () => {
    const { host } = await setUp(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const steps: string[] = [];
    const onStepFinish = ({ model: by }: { model: { provider: string } }) =>
      steps.push(by.provider);
    await generate(major, chained(host, model, { onStepFinish }));
    expect(steps).toEqual(["mock-provider", "toolrail", "toolrail", "mock-provider"]);
  });

  it("goes on when a listener throws", async () => {
    const { server, host } = await setUp(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const onHop = () => Promise.reject(new Error("listener"));
    await generate(major, chained(host, model, { chaining: { onHop } }));
    expect(server.calls).toEqual(["a", "b", "c"]);
  });

  it.each(runs)("stops between hops of $name when it is aborted", async ({ run }) => {
    const controller = new AbortController();
    const { server, host } = await setUp({
      ...CHAIN,
      b: {
        definition: NUMBER,
        answer: () => {
          controller.abort(new Error("the user went away"));
          return asking("c", { id: 2 });
        },
      },
    });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const settings = { ...chained(host, model), abortSignal: controller.signal };
    await Promise.allSettled([run(major, settings)]);
    expect(server.calls).toEqual(["a", "b"]);
    expect(model.calls).toBe(1);
  });

  describe("a chain that cannot go on", () => {
    it.each([
      ["unknown-tool", { a: { answer: () => asking("nowhere") } }, {}],
      ["malformed", { a: { answer: () => asking("") } }, {}],
      [
        "invalid-arguments",
        { a: { answer: () => asking("b", { id: "x" }) }, b: { definition: NUMBER } },
        {},
      ],
      ["cycle", { a: { answer: () => asking("a", {}) } }, {}],
      ["denied", { a: { answer: () => asking("b") }, b: {} }, { allow: ["bank.a"] }],
    ])("ends as %s, says so to the model, and keeps its results", async (ended, tools, options) => {
      const { server, host } = await setUp(tools as Record<string, TestTool>, options);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const result = await generate(major, chained(host, model));
      expect(server.calls).toEqual(["a"]);
      expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({ ended, isError: true });
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        { type: "error-text", value: expect.stringContaining("more to come\nThe chain") },
      ]);
    });

    it("makes five calls and not the sixth", async () => {
      const { server, host } = await setUp({
        a: { answer: ({ arguments: { n } }) => asking("a", { n: Number(n ?? 0) + 1 }) },
      });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const result = await generate(major, chained(host, model));
      expect(server.calls).toHaveLength(5);
      expect(model.calls).toBe(2);
      expect(result.steps.at(-2)?.toolResults[0]?.output).toMatchObject({ ended: "depth-limit" });
    });

    it("keeps what was done when a hop is refused or fails", async () => {
      const fails = { answer: () => Promise.reject(new Error("out of order")) };
      for (const [b, options] of [
        [fails, {}],
        [{}, { authorize: ({ tool }) => (tool.name === "b" ? { deny: "no" } : "allow") }],
      ] as [TestTool, Partial<HostOptions>][]) {
        const { host } = await setUp(
          { a: { answer: () => asking("b", {}, "a result") }, b },
          options,
        );
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        const result = await generate(major, chained(host, model));
        expect(track(result)).toEqual(["model[a]", "hop[b]", "model[]"]);
        expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
          { type: "error-text", value: expect.stringMatching(/^a result\nThe chain/) },
        ]);
      }
    });
  });
});
