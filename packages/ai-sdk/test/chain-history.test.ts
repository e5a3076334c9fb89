import type { HostOptions } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { asking, type TestTool } from "../../core/test/servers.ts";
import { asksFor, CHAIN, chained, FOR_USER, openBank, text, USER } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { answerTo, toolOutputs } from "./reading.ts";
import { generate } from "./runs.ts";

const WHY = "closed_today";

describe.each(majors)(
  "the history that a real model reads under withChaining on $name",
  (major: Major) => {
    it("Each chain reads as one call with all its results.", async () => {
      const { host } = await openBank({
        ...CHAIN,
        x: { answer: () => asking("y", {}, "x result") },
        y: {},
      });
      const model = scriptModel(major, [{ tool: "a" }, { tool: "x" }], ["final"]);
      await generate(major, chained(host, model));
      const prompt = model.prompts.at(-1) ?? [];
      expect(toolOutputs(prompt)).toMatchObject([
        {
          type: "text",
          value: "a:\na result\nThen b was called:\nb result\nThen c was called:\nc result",
        },
        { type: "text", value: "x:\nx result\nThen y was called:\ny done" },
      ]);
      expect(JSON.stringify(prompt)).not.toContain("hop-");
    });

    it("Each hop reads as a call of its own if fold is false.", async () => {
      const { host } = await openBank(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(host, model, { chaining: { fold: false } }));
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        { value: "a result" },
        { value: "b result" },
        { value: "c result" },
      ]);
    });

    it("A placeholder stays if there is something else to read, since the model would not know of the call.", async () => {
      const { host } = await openBank({
        a: { answer: () => ({ ...asking("b"), content: [text("locked", FOR_USER)] }) },
        b: { answer: () => ({ content: [text("ticket 7")] }) },
      });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(host, model));
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        {
          type: "text",
          value: "a:\nThe result was shown to the user.\nThen b was called:\nticket 7",
        },
      ]);
    });

    it("A chain reads as an error only if its last hop is one.", async () => {
      const broken = { answer: () => ({ content: [text("broken")], isError: true }) };
      const mended = { answer: () => ({ ...asking("c", { id: 1 }, "broken"), isError: true }) };
      for (const [b, type] of [
        [broken, "error-text"],
        [mended, "text"],
      ] as const) {
        const { host } = await openBank({ ...CHAIN, a: { answer: () => asking("b") }, b });
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        await generate(major, chained(host, model));
        expect(toolOutputs(model.prompts.at(-1))).toMatchObject([{ type }]);
      }
    });

    it.each<[string, TestTool, Partial<HostOptions>]>([
      ["a policy", {}, { authorize: ({ tool }) => (tool.name === "b" ? { deny: WHY } : "allow") }],
      ["its schema", { definition: { inputSchema: { type: "object", required: [WHY] } } }, {}],
      ["its server", { answer: () => Promise.reject(new Error(WHY)) }, {}],
      ["a person", {}, asksFor("b")],
    ])("The reason why %s refused a hop is read once.", async (who, b, options) => {
      const { host } = await openBank({ a: { answer: () => asking("b") }, b }, options);
      for (const fold of [true, false]) {
        const model = scriptModel(major, [{ tool: "a" }], ["final"]);
        const run = (messages: ModelMessage[]) =>
          generate(major, chained(host, model, { messages, chaining: { fold } }));
        const { messages } = await run([USER]);
        const asked = [USER, ...messages, answerTo(messages, { deny: WHY })];
        if (who === "a person") await run(asked);
        const read = toolOutputs(model.prompts.at(-1)).map((output) => JSON.stringify(output));
        expect(read.join().split(WHY)).toHaveLength(2);
      }
    });

    it("The turns of earlier runs stay folded.", async () => {
      const { host } = await openBank(CHAIN);
      const first = scriptModel(major, [{ tool: "a" }], ["final"]);
      const { messages } = await generate(major, chained(host, first, { messages: [USER] }));
      const second = scriptModel(major, [{ tool: "a" }], ["final"]);
      await generate(major, chained(host, second, { messages: [USER, ...messages, USER] }));
      for (const prompt of second.prompts) expect(JSON.stringify(prompt)).not.toContain("hop-");
      const whole = "a:\na result\nThen b was called:\nb result\nThen c was called:\nc result";
      expect(toolOutputs(second.prompts.at(-1))).toMatchObject([
        { value: whole },
        { value: whole },
      ]);
    });
  },
);
