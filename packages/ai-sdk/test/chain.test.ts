import { describe, expect, it } from "vitest";
import { asking, type TestTool } from "../../core/test/servers.ts";
import type { HopResult } from "../src/index.ts";
import { CHAIN, chained, NUMBER, openBank } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { toolOutputs, track } from "./reading.ts";
import { generate, runs } from "./runs.ts";

describe.each(majors)("withChaining on $name", (major: Major) => {
  it.each(runs)(
    "Each hop is a step of $name, and no model is asked between two.",
    async ({ run }) => {
      const { server, host } = await openBank(CHAIN);
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

  it("Authorize is asked about each call, in one run, with who asked and the true depth.", async () => {
    const calls: unknown[] = [];
    const { host } = await openBank(CHAIN, {
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
    const runId = first?.hop.runId;
    const made = [
      { tool: "a", origin: { by: "model", toolCallId: "call-1" }, runId },
      {
        tool: "b",
        origin: { by: "chain", causedBy: first?.hop.callId, after: "bank.a", depth: 1 },
        runId,
      },
      {
        tool: "c",
        origin: { by: "chain", causedBy: second?.hop.callId, after: "bank.b", depth: 2 },
        runId,
      },
    ];
    for (const call of made) expect(calls).toContainEqual(call);
  });

  it("Parallel chains run side by side, each hop once.", async () => {
    const { server, host } = await openBank({
      ...CHAIN,
      x: { answer: () => asking("y", {}, "x result") },
      y: {},
    });
    const model = scriptModel(major, [{ tool: "a" }, { tool: "x" }], ["final"]);
    const result = await generate(major, chained(host, model));
    expect(track(result)).toEqual(["model[a,x]", "hop[b,y]", "hop[c]", "model[]"]);
    expect(server.calls.toSorted()).toEqual(["a", "b", "c", "x", "y"]);
  });

  it("The caller's hooks are called for hops as for any other step.", async () => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const steps: string[] = [];
    const onStepFinish = ({ model: by }: { model: { provider: string } }) =>
      steps.push(by.provider);
    await generate(major, chained(host, model, { onStepFinish }));
    expect(steps).toEqual(["mock-provider", "toolrail", "toolrail", "mock-provider"]);
  });

  it("A chain continues when a listener throws.", async () => {
    const { server, host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const onHop = () => Promise.reject(new Error("listener"));
    await generate(major, chained(host, model, { chaining: { onHop } }));
    expect(server.calls).toEqual(["a", "b", "c"]);
  });

  it.each(runs)("An aborted run of $name stops between hops.", async ({ run }) => {
    const controller = new AbortController();
    const { server, host } = await openBank({
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

  describe("a chain that cannot continue", () => {
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
    ])(
      "A chain that ends as %s says so to the model and keeps its results.",
      async (ended, tools, options) => {
        const { server, host } = await openBank(tools as Record<string, TestTool>, options);
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        const result = await generate(major, chained(host, model));
        expect(server.calls).toEqual(["a"]);
        expect(result.steps[0]?.toolResults[0]?.output).toMatchObject({ ended, isError: true });
        expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
          { type: "error-text", value: expect.stringContaining("more to come\nThe chain") },
        ]);
      },
    );
  });
});
