import { type AgentMiddleware, createAgent, llmToolSelectorMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { chainMiddleware, createTools } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = {
  a: { answer: () => asking("b", {}, "a result") },
  b: { answer: () => asking("c", {}, "b result") },
  c: {},
};

describe("llmToolSelectorMiddleware", () => {
  /** A model that selects the tool `a` alone, and counts how often it is asked. */
  function openSelector() {
    const asked: unknown[] = [];
    const invoke = async (question: unknown) => {
      asked.push(question);
      return { tools: ["a"] };
    };
    const model = Object.assign(new ScriptedModel(), { withStructuredOutput: () => ({ invoke }) });
    // Its declared type fits no agent under TypeScript 7.
    const selector = llmToolSelectorMiddleware({ model } as never) as unknown;
    return { asked, selector: selector as AgentMiddleware };
  }

  it.each([
    ["is asked for the model's turns alone if chainMiddleware stands before it", 2],
    ["is also asked in turns that are hops if it stands before chainMiddleware", 4],
  ])("%s, and hops reach what it left out either way", async (_, selections) => {
    const { host, server } = await openBank(CHAIN);
    const { asked, selector } = openSelector();
    const model = new ScriptedModel([calling("a")], "final");
    const both = [chainMiddleware(host), selector];
    const middleware = selections === 2 ? both : both.toReversed();
    await createAgent({ model, tools: createTools(host), middleware }).invoke(QUESTION);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.bound).toHaveLength(1);
    expect(asked).toHaveLength(selections);
  });

  it("leaves the steps of a pipe to the pipe", async () => {
    const { host, server } = await openBank({ a: {}, b: {} });
    const { selector } = openSelector();
    const steps = [{ id: "one", tool: "b" }];
    const model = new ScriptedModel([calling("mcp_pipe", { steps })], "final");
    const tools = [...createTools(host), ...[createPipeTool(host) ?? []].flat()];
    const agent = createAgent({ model, tools, middleware: [selector] });
    const { messages } = await agent.invoke(QUESTION);
    expect(toolMessages(messages)[0]?.text).toContain('"ok":true');
    expect(server.calls).toEqual(["b"]);
  });
});
