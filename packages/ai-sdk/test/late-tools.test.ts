import { createHost, type Host, type McpPort } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import { openHouse } from "../../core/test/unlocking-house.ts";
import { withChaining } from "../src/index.ts";
import { chained } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { generate, runs } from "./runs.ts";

describe.each(majors)("a tool that is listed while the run continues, on $name", (major) => {
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

  it("is not offered if the caller or the host leaves it out", async () => {
    for (const more of [{ activeTools: ["open"] }, { chaining: { tools: ["house.open"] } }]) {
      const { host } = await openHouse(["inside"]);
      const model = scriptModel(major, [{ tool: "open" }], ["final"]);
      const settings = withChaining(host, { model: model.model, ...more });
      await major.sdk.generateText({ ...settings, prompt: "hi" } as never);
      expect(model.offered).toEqual([["open"], ["open"]]);
    }
  });
});

describe.each(majors)(
  "a tool that is listed late with the name of a tool of the caller, on $name",
  (major) => {
    it.each(runs)(
      "is not reached by a hop in $name, and the caller's tool is not called instead",
      async ({ run }) => {
        const { host, calls } = await openHouse(["inside"], { tool: "inside" });
        const model = scriptModel(major, [{ tool: "open" }], ["final"]);
        const local: unknown[] = [];
        const inside = major.sdk.tool({
          inputSchema: major.sdk.jsonSchema({ type: "object" }),
          execute: async (input) => local.push(input),
        });
        const settings = withChaining(host, { model: model.model, tools: { inside } });
        await run(major, { ...settings, prompt: "hi" } as never);
        expect(local).toEqual([]);
        expect(calls).toEqual(["open"]);
        expect(JSON.stringify(model.prompts.at(-1))).toContain("ended early");
      },
    );
  },
);

it.each(majors)(
  "a tool of the caller stays what the model calls by its name if a server lists such a tool late, on $name",
  async (major) => {
    const { host, calls } = await openHouse(["inside"]);
    const model = scriptModel(major, [{ tool: "open" }], [{ tool: "inside" }], ["final"]);
    const local: unknown[] = [];
    const inside = major.sdk.tool({
      inputSchema: major.sdk.jsonSchema({ type: "object" }),
      execute: async (input) => local.push(input),
    });
    await generate(major, chained(host, model, { tools: { inside } }));
    expect([local, calls]).toEqual([[{}], ["open"]]);
  },
);

/** A server whose tool `change` gives `turn` another argument, and takes `old` from its list. */
async function openChanging() {
  const tool = (name: string, argument: string) => ({
    name,
    inputSchema: { type: "object", properties: { [argument]: {} }, required: [argument] },
  });
  let tools = [tool("change", "a"), tool("turn", "left"), tool("old", "a")];
  const turned: JsonObject[] = [];
  const house: McpPort = {
    list: async () => ({ tools }),
    async call({ name, arguments: args }) {
      if (name === "turn") turned.push(args);
      tools = [tool("change", "a"), tool("turn", "right")];
      if (name === "change") await host.refresh();
      return { content: [{ type: "text", text: `${name} done` }] };
    },
  };
  const host: Host = await createHost({ servers: { house } });
  return { host, turned };
}

describe.each(majors)("a list that changes while the run continues, on $name", (major) => {
  it.each(runs)("is what the model is offered in the next step of $name", async ({ run }) => {
    const { host, turned } = await openChanging();
    const change = { tool: "change", input: { a: 1 } };
    const turn = { tool: "turn", input: { right: 1 } };
    const model = scriptModel(major, [change], [turn], ["final"]);
    await run(major, { ...withChaining(host, { model: model.model }), prompt: "hi" } as never);
    expect(model.offered[0]).toEqual(["change", "turn", "old"]);
    expect(model.offered[1]).toEqual(["change", "turn"]);
    expect(turned).toEqual([{ right: 1 }]);
  });
});
