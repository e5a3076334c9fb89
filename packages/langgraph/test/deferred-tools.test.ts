import { ChatOpenAI } from "@langchain/openai";
import { createAgent, llmToolSelectorMiddleware, providerToolSearchMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { openHouse } from "../../core/test/unlocking-house.ts";
import { chainMiddleware, createTools } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = {
  a: { answer: () => asking("b", {}, "a result") },
  b: { answer: () => asking("c", {}, "b result") },
  c: {},
};

/** LangChain's own package for OpenAI over a wire that calls a tool first, and records which tools it is offered. */
function openWire(tool: string) {
  const offered: string[][] = [];
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const { tools = [] } = JSON.parse(String(init?.body));
    const toName = ({ name = "", defer_loading = false, type = "" }) =>
      `${name || type}${defer_loading ? " (deferred)" : ""}`;
    offered.push(tools.map(toName));
    const call = { type: "function_call", id: "1", call_id: "c1", name: tool, arguments: "{}" };
    const content = [{ type: "output_text", text: "final", annotations: [] }];
    const said = { type: "message", id: "2", role: "assistant", content };
    const output = offered.length === 1 ? [call] : [said];
    return Response.json({ id: "3", object: "response", status: "completed", output });
  };
  const configuration = { baseURL: "http://wire.invalid", fetch };
  const options = { model: "m", apiKey: "none", maxRetries: 0, useResponsesApi: true };
  return { offered, model: new ChatOpenAI({ ...options, configuration }) };
}

describe("Tools that are left to the search of a provider in LangChain", () => {
  it.each(["a hop inside the call", "a turn of the agent"])(
    "are marked in each request, and reached by %s",
    async (way) => {
      const { host, server } = await openBank(CHAIN);
      const { model, offered } = openWire("a");
      const middleware = [
        ...(way === "a turn of the agent" ? [chainMiddleware(host)] : []),
        providerToolSearchMiddleware(),
      ];
      const tools = createTools(host, { defer: ["bank.b", "c"] });
      const agent = createAgent({ model, tools, middleware });
      await agent.invoke(QUESTION);
      expect(server.calls).toEqual(["a", "b", "c"]);
      const request = ["a", "b (deferred)", "c (deferred)", "tool_search"];
      expect(offered).toEqual([request, request]);
    },
  );

  it("are marked also if a server lists them while the agent runs", async () => {
    const { host, calls } = await openHouse(["inside"], { tool: "inside" });
    const { model, offered } = openWire("open");
    const defer = ["house.inside"];
    const middleware = [chainMiddleware(host, { defer }), providerToolSearchMiddleware()];
    await createAgent({ model, tools: createTools(host), middleware }).invoke(QUESTION);
    expect(calls).toEqual(["open", "inside"]);
    expect(offered).toEqual([["open"], ["open", "inside (deferred)", "tool_search"]]);
  });

  it("are none while no more tools are offered than the option says", async () => {
    const { host } = await openBank(CHAIN);
    const extras = (above: number) => createTools(host, { defer: { above } })[0]?.extras;
    expect(extras(3)).toBeUndefined();
    expect(extras(2)).toEqual({ defer_loading: true });
  });
});

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
    return { asked, selector: selector as ReturnType<typeof providerToolSearchMiddleware> };
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
