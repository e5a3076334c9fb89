import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { withChaining } from "../src/index.ts";
import { asksFor, CHAIN, chained, FOR_USER, openBank, text, USER } from "./bank.ts";
import { type Major, majorNamed, majors, scriptModel } from "./majors.ts";
import { answerTo, track } from "./reading.ts";
import { generate, runs } from "./runs.ts";

describe.each(majors)("the caller's own settings under withChaining on $name", (major: Major) => {
  const { sdk } = major;
  const local = sdk.tool({
    inputSchema: sdk.jsonSchema({ type: "object" }),
    execute: async () => "local result",
  });

  it.each(runs)("A model that is given by its name alone chains ($name).", async ({ run }) => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const languageModel = () => model.model;
    const provider = { specificationVersion: "v3", languageModel };
    const globals = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    globals.AI_SDK_DEFAULT_PROVIDER = provider;
    try {
      const named = { ...model, model: "maker/model" } as unknown as typeof model;
      expect(track(await run(major, chained(host, named)))).toEqual([
        ...["model[a]", "hop[b]", "hop[c]", "model[]"],
      ]);
    } finally {
      delete globals.AI_SDK_DEFAULT_PROVIDER;
    }
  });

  it.each(runs.slice(2))("prepareCall of $name composes what it changes.", async ({ run }) => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }]);
    const prepareCall = (options: { model: unknown; tools: object }) => {
      const tools = { ...options.tools, later: local };
      const stopWhen = sdk.stepCountIs(2);
      return withChaining(host, { ...options, tools, activeTools: ["a", "later"], stopWhen });
    };
    const agent = { model: model.model, tools: { local }, prepareCall, prompt: "hi" };
    const result = await run(major, agent as never);
    expect(model.offered.map((names) => names.toSorted())).toEqual([
      ["a", "later"],
      ["a", "later"],
    ]);
    const turn = ["model[a]", "hop[b]", "hop[c]"];
    expect(track(result)).toEqual([...turn, ...turn]);
  });

  it("A chain waits for a tool beside it that the application runs.", async () => {
    const { server, host } = await openBank(CHAIN);
    const tools = { ask: { inputSchema: sdk.jsonSchema({ type: "object" }) } };
    const model = scriptModel(major, [{ tool: "a" }, { tool: "ask", id: "q" }], ["final"]);
    const first = await generate(major, chained(host, model, { tools, messages: [USER] }));
    expect(server.calls).toEqual(["a"]);
    const output = { type: "text", value: "yes" };
    const result = { type: "tool-result", toolCallId: "q", toolName: "ask", output };
    const messages = [USER, ...first.messages, { role: "tool", content: [result] }];
    const second = await generate(major, chained(host, model, { tools, messages }));
    expect(track(second)).toEqual(["hop[b]", "hop[c]", "model[]"]);
  });

  it.each(runs)(
    "A run of $name that asks for an object may end with nothing left to say.",
    async ({ run }) => {
      const output = sdk.Output.object({ schema: sdk.jsonSchema({ type: "object" }) });
      const forUser = { content: [text("12.34", FOR_USER)] };
      const tools = {
        a: { answer: () => ({ ...asking("b"), ...forUser }) },
        b: { answer: () => forUser },
      };
      const { server, host } = await openBank(tools, asksFor("b"));
      const model = scriptModel(major, [{ tool: "a" }]);
      const first = await run(major, chained(host, model, { output, messages: [USER] }));
      const asked = [USER, ...first.messages];
      const messages = [...asked, answerTo(asked, true)];
      const second = await run(major, chained(host, model, { output, messages }));
      expect(second.text).toBe("");
      expect(server.calls).toEqual(["a", "b"]);
    },
  );

  it.each(runs)(
    "A hop whose arguments $name refines is refused, with the reason.",
    async ({ run }) => {
      const major = majorNamed("ai 7");
      const { host, server } = await openBank(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const more = { experimental_refineToolInput: { b: () => ({ id: 7 }) } };
      await run(major, chained(host, model, more));
      expect(server.calls).toEqual(["a"]);
      expect(JSON.stringify(model.prompts.at(-1))).toContain("experimental_refineToolInput");
    },
  );
});

describe("settings that one major has alone", () => {
  it("The older names of activeTools and prepareStep in ai 6, which would change nothing, are refused.", async () => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(majorNamed("ai 6"), ["final"]);
    for (const older of [{ experimental_activeTools: [] }, { experimental_prepareStep: () => {} }])
      expect(() => chained(host, model, older)).toThrow(/write `(activeTools|prepareStep)`/);
  });

  it.each(runs.slice(0, 2))(
    "A message that ai 7 steers into $name ends a chain, and the model reads both.",
    async ({ run }) => {
      const major = majorNamed("ai 7");
      const steering = major.sdk.experimental_createSteering();
      const answer = () => {
        void steering.steer("one more thing");
        return asking("b", { id: 1 }, "a result");
      };
      const { host, server } = await openBank({ ...CHAIN, a: { answer } });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const settings = chained(host, model, { experimental_steering: steering });
      const steered = await run(major, settings);
      const { messages } = steered;
      expect(track(steered)).toEqual(["model[a]", "model[]"]);
      expect(server.calls).toEqual(["a"]);
      const read = JSON.stringify(model.prompts.at(-1));
      expect(read).toContain("one more thing");
      expect(read).toContain("The chain of tool calls ended early.");
      // The messages as they were before the user wrote, in another run.
      const before = messages.slice(0, messages.findIndex(({ role }) => role === "tool") + 1);
      const again = scriptModel(major, ["final"]);
      await run(major, chained(host, again, { messages: [USER, ...before] }));
      expect(server.calls).toEqual(["a"]);
    },
  );
});
