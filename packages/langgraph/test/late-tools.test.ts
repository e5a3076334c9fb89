import { DynamicStructuredTool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { openHouse } from "../../core/test/unlocking-house.ts";
import { chainMiddleware, createTools } from "../src/index.ts";
import { QUESTION, toolMessages } from "./graphs.ts";
import { calling, type ModelTurn, ScriptedModel } from "./scripted-model.ts";

async function openTools(nextTool?: object) {
  const { host, calls } = await openHouse(["inside", "cellar"], nextTool);
  const run = async (options: Parameters<typeof chainMiddleware>[1], ...turns: ModelTurn[]) => {
    const model = new ScriptedModel(...turns);
    const middleware = [chainMiddleware(host, options)] as const;
    const agent = createAgent({ model, tools: createTools(host), middleware });
    const { messages } = await agent.invoke(QUESTION);
    const bound = model.bound as readonly { readonly function: { readonly name: string } }[];
    const offered = bound.map(({ function: { name } }) => name);
    return { offered, results: toolMessages(messages).map(({ content }) => content) };
  };
  return { calls, run };
}

describe("a tool that is listed while an agent with chainMiddleware runs", () => {
  it("is offered to the model in its next turn, and runs", async () => {
    const { calls, run } = await openTools();
    const turns = [[calling("open")], [calling("inside", {}, "c2")], "final"];
    const { offered, results } = await run({}, ...turns);
    expect(offered).toEqual(["open", "inside", "cellar"]);
    expect(calls).toEqual(["open", "inside"]);
    expect(results).toEqual(["open done", "inside done"]);
  });

  it("is reached by a hop of the call that unlocked it", async () => {
    const { calls, run } = await openTools({ tool: "inside" });
    await run({}, [calling("open")], "final");
    expect(calls).toEqual(["open", "inside"]);
  });

  it("is neither offered nor made if the caller leaves it out", async () => {
    const { calls, run } = await openTools();
    const turns = [[calling("open")], [calling("cellar", {}, "c2")], "final"];
    const { offered } = await run({ tools: ["house.inside"] }, ...turns);
    expect(offered).toEqual(["open", "inside"]);
    expect(calls).toEqual(["open"]);
  });

  it("is reached by a hop even if the agent has a tool of that name, which is not called", async () => {
    const { host, calls } = await openHouse(["inside"], { tool: "inside" });
    const seen: unknown[] = [];
    const own: DynamicStructuredTool = new DynamicStructuredTool({
      name: "inside",
      description: "A tool of the agent.",
      schema: { type: "object" },
      func: async (input) => String(seen.push(input)),
    });
    const model = new ScriptedModel([calling("open")], "final");
    const middleware = [chainMiddleware(host)] as const;
    const tools = createTools(host).concat(own);
    const agent = createAgent({ model, tools, middleware });
    await agent.invoke(QUESTION);
    expect(seen).toEqual([]);
    expect(calls).toEqual(["open", "inside"]);
  });
});
