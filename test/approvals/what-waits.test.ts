import { MemorySaver } from "@langchain/langgraph";
import { createTools as createSdkTools } from "@toolrail/ai-sdk";
import { createPipeTool as createSdkPipeTool } from "@toolrail/ai-sdk/pipe";
import { createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { majors, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { CONFIG, model, openBank, QUESTION, SPEC, WAYS } from "./ways.ts";

describe.each(WAYS)("what waits across a restart: $name", ({ begin, approve }) => {
  it("needs no store: a new process makes the approved call, once, however often it gets the answer", async () => {
    const { open, paid, calls } = openBank();
    const kept = await begin(await open());
    expect(paid()).toBe(0);
    const before = calls.length;
    const host = await open();
    const first = JSON.stringify(await approve(host, kept));
    expect(paid()).toBe(1);
    expect(calls).toHaveLength(before + 1);
    expect(first).toContain(`paid`);
    await approve(host, kept);
    expect(paid()).toBe(1);
  });
});

describe("what cannot wait, since it is in the middle of a call of the framework", () => {
  it.each(majors)(
    "a hop of `createTools` of $name ends before the call that needs a person",
    async (major) => {
      const { open, calls } = openBank();
      const ended: unknown[] = [];
      const tools = createSdkTools(await open(), {
        onResult: ({ chain }) => void ended.push(chain),
      });
      const { model } = scriptModel(major, [{ tool: "order" }], ["done"]);
      await major.sdk.generateText({ model, tools, prompt: "pay" });
      expect([calls, ended]).toMatchObject([["order"], [{ ended: "needs-approval" }]]);
    },
  );

  it("a hop of `createTools` of LangGraph ends before the call that needs a person", async () => {
    const { open, calls } = openBank();
    const tools = createTools(await open());
    const agent = createAgent({ model: model("order"), tools, checkpointer: new MemorySaver() });
    const end = await agent.invoke(QUESTION, CONFIG);
    expect(end).not.toHaveProperty("__interrupt__");
    expect(calls).toEqual(["order"]);
  });

  it.each(majors)("a step of `mcp_pipe` of $name fails", async (major) => {
    const { open, calls } = openBank();
    const tools = createSdkPipeTool(await open());
    const { model } = scriptModel(major, [{ tool: "mcp_pipe", input: SPEC }], ["done"]);
    await major.sdk.generateText({ model, tools, prompt: "pay" });
    expect(calls).toEqual(["list"]);
  });
});
