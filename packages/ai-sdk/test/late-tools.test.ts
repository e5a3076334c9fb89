import { describe, expect, it } from "vitest";
import { openHouse } from "../../core/test/unlocking-house.ts";
import { withChaining } from "../src/index.ts";
import { majors, scriptModel } from "./majors.ts";
import { runs } from "./runs.ts";

describe.each(majors)("a tool that is listed while the run goes on, on $name", (major) => {
  it.each(runs)("is offered to the model in the next step of $name, and runs", async ({ run }) => {
    const { host, calls } = await openHouse(["inside"]);
    const model = scriptModel(major, [{ tool: "open" }], [{ tool: "inside" }], ["final"]);
    const settings = withChaining(host, { model: model.model });
    const { text } = await run(major, { ...settings, prompt: "hi" } as never);
    expect(model.offered).toEqual([["open"], ["open", "inside"], ["open", "inside"]]);
    expect(calls).toEqual(["open", "inside"]);
    expect(text).toBe("final");
  });

  it.each(runs)("is reached by a hop of the call that unlocked it in $name", async ({ run }) => {
    const { host, calls } = await openHouse(["inside"], { tool: "inside" });
    const model = scriptModel(major, [{ tool: "open" }], ["final"]);
    const settings = withChaining(host, { model: model.model });
    await run(major, { ...settings, prompt: "hi" } as never);
    expect(calls).toEqual(["open", "inside"]);
    expect(JSON.stringify(model.prompts.at(-1))).toContain("inside done");
  });

  it("does not break a run that names tools of its list by their types", async () => {
    const { host, calls } = await openHouse(["inside"]);
    const model = scriptModel(major, [{ tool: "open" }], [{ tool: "inside" }], ["final"]);
    const typed = { open: "house.open" };
    const settings = withChaining(host, { model: model.model, chaining: { typed } });
    const { text } = await major.sdk.generateText({ ...settings, prompt: "hi" } as never);
    expect(calls).toEqual(["open", "inside"]);
    expect(text).toBe("final");
  });

  it("is not offered where the caller or the host leaves it out", async () => {
    for (const more of [{ activeTools: ["open"] }, { chaining: { tools: ["house.open"] } }]) {
      const { host } = await openHouse(["inside"]);
      const model = scriptModel(major, [{ tool: "open" }], ["final"]);
      const settings = withChaining(host, { model: model.model, ...more });
      await major.sdk.generateText({ ...settings, prompt: "hi" } as never);
      expect(model.offered).toEqual([["open"], ["open"]]);
    }
  });
});
