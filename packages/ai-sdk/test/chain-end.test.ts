import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { llmSteps } from "../src/index.ts";
import { CHAIN, chained, FOR_USER, NUMBER, openBank, text } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { track } from "./reading.ts";
import { generate, runs } from "./runs.ts";

describe.each(majors)("the end of a run under withChaining on $name", (major: Major) => {
  it("A run ends without a last model call if everything was for the user.", async () => {
    for (const { run } of runs) {
      const { host } = await openBank({
        a: { answer: () => ({ ...asking("b"), content: [text("locked", FOR_USER)] }) },
        b: { answer: () => ({ content: [text("call us", FOR_USER)] }) },
      });
      const model = scriptModel(major, [{ tool: "a" }], ["final"]);
      const result = await run(major, chained(host, model));
      expect(track(result)).toEqual(["model[a]", "hop[b]"]);
      expect(model.calls).toBe(1);
    }
  });

  it("The model is asked if anything was for it, or if endWhenShown is false.", async () => {
    const forUser = { answer: () => ({ content: [text("12.34", FOR_USER)] }) };
    const { host } = await openBank({ a: { answer: () => asking("b") }, b: forUser });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await generate(major, chained(host, model));
    expect(model.calls).toBe(2);
    const { host: other } = await openBank({ a: forUser });
    const asked = scriptModel(major, [{ tool: "a" }], ["final"]);
    await generate(major, chained(other, asked, { chaining: { endWhenShown: false } }));
    expect(asked.calls).toBe(2);
  });

  it("The model is asked if another call of the same turn failed.", async () => {
    const { host } = await openBank({
      a: { answer: () => ({ content: [text("12.34", FOR_USER)] }) },
      b: { definition: NUMBER },
    });
    const model = scriptModel(major, [{ tool: "a" }, { tool: "b" }], ["final"]);
    await generate(major, chained(host, model));
    expect(model.calls).toBe(2);
  });

  it.each([1, 2, 3])("No hop counts against a budget of %i steps.", async (count) => {
    for (const stopWhen of [major.sdk.stepCountIs(count), llmSteps(count)]) {
      const { server, host } = await openBank(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }]);
      await generate(major, chained(host, model, { stopWhen }));
      expect(model.calls).toBe(count);
      expect(server.calls).toHaveLength(3 * count);
    }
  });

  it("A run ends at any of the caller's conditions.", async () => {
    const { host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }]);
    const stopWhen = [major.sdk.stepCountIs(9), major.sdk.hasToolCall("a")];
    await generate(major, chained(host, model, { stopWhen }));
    expect(model.calls).toBe(1);
  });

  it.each(runs)(
    "A condition on a tool also counts if a hop called it ($name).",
    async ({ run }) => {
      const { server, host } = await openBank(CHAIN);
      const model = scriptModel(major, [{ tool: "a" }]);
      const stopWhen = [major.sdk.hasToolCall("b"), major.sdk.stepCountIs(3)];
      await run(major, chained(host, model, { stopWhen }));
      expect(model.calls).toBe(1);
      expect(server.calls).toEqual(["a", "b", "c"]);
    },
  );
});
