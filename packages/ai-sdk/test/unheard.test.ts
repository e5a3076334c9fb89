import { createHost, type HostEvent } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../core/test/servers.ts";
import { createTools, shownToUser, withChaining } from "../src/index.ts";
import { FOR_USER, text } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";
import { generate } from "./runs.ts";

const TOOLS = {
  a: { answer: () => ({ content: [text("12.34", FOR_USER)] }) },
  b: { answer: () => ({ content: [], _meta: { "shop/widget": "picker" } }) },
};

/** Runs a model that calls every tool at once, with the listeners that are there. */
async function runAll(
  major: (typeof majors)[number],
  way: "createTools" | "withChaining",
  onHop?: () => void,
) {
  const events: HostEvent[] = [];
  const { client } = await createTestServer(TOOLS);
  const host = await createHost({
    servers: { bank: client },
    onEvent: (event) => events.push(event),
  });
  const script = scriptModel(major, [{ tool: "a" }, { tool: "b" }], ["final"]);
  const { model } = script;
  const listeners = onHop ? { onHop } : {};
  const stopWhen = [major.sdk.stepCountIs(5), shownToUser()];
  const settings =
    way === "createTools"
      ? { model, tools: createTools(host, listeners), prompt: "hi", stopWhen }
      : { prompt: "hi", ...withChaining(host, { model, chaining: listeners }) };
  await generate(major, settings as never);
  const warnings = events.filter(({ type }) => type === "warning");
  return { prompts: script.prompts, warnings };
}

describe.each(majors)("content for the user if nobody listens, on $name", (major) => {
  it.each(["createTools", "withChaining"] as const)(
    "The model reads that it is for the user alone, the run continues, and one event warns: %s.",
    async (way) => {
      const { prompts, warnings } = await runAll(major, way);
      const value = "The result is for the user alone.";
      expect(toolOutputs(prompts.at(-1))).toMatchObject([{ value }, { value }]);
      expect(prompts).toHaveLength(2);
      expect(warnings).toMatchObject([{ code: "nobody-listens" }]);
    },
  );

  it.each(["createTools", "withChaining"] as const)(
    "A listener that throws at each hop stops nothing, and one event warns of it: %s.",
    async (way) => {
      const { prompts, warnings } = await runAll(major, way, () => {
        throw new Error("the page is gone");
      });
      expect(prompts).toHaveLength(1);
      expect(warnings).toMatchObject([{ code: "listener-failed", listener: "onHop" }]);
    },
  );

  it.each(["createTools", "withChaining"] as const)(
    "If somebody listens, it counts as shown, widgets included, and the run ends: %s.",
    async (way) => {
      const told: string[] = [];
      const { prompts, warnings } = await runAll(major, way, () => void told.push("hop"));
      expect(told).toHaveLength(2);
      expect(prompts).toHaveLength(1);
      expect(warnings).toEqual([]);
    },
  );
});
