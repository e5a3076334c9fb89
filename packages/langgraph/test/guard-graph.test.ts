import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { createSingleStepGraph, type SingleStepGraphOptions } from "../src/guard/index.ts";
import { openBank } from "./graphs.ts";
import { ScriptedModel } from "./scripted-model.ts";

const outputSchema = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
};
const CLOSE = { type: "object", properties: { title: { type: "string" } } };
const plan = (tool: string, args: object = {}) =>
  JSON.stringify({ type: "call_tool", tool, arguments: args });

async function setUp(
  script: readonly string[],
  options: Partial<SingleStepGraphOptions> = {},
  structuredContent: unknown = { title: "The invoice run failed" },
) {
  const answer = () => ({ content: [], structuredContent, _meta: { nextTool: { tool: "close" } } });
  const authorized: string[] = [];
  const authorize = ({ tool }: { tool: { name: string } }) => {
    authorized.push(tool.name);
    return "allow" as const;
  };
  const tools = {
    read: { definition: { outputSchema }, answer },
    close: { definition: { outputSchema, inputSchema: CLOSE }, answer },
  };
  const { host, server } = await openBank(tools, { authorize });
  const model = new ScriptedModel(...script);
  const allow = { "bank.read": "allow", "bank.close": "ask" } as const;
  const graph = createSingleStepGraph(host, { model, allow, ...options });
  return { server, model, graph, authorized };
}

const INPUT = { query: "What is wrong?" };

describe("createSingleStepGraph", () => {
  it("A query gets a grounded answer, with one call.", async () => {
    const bullets = [{ claim: "It failed.", evidence: "The invoice run failed" }];
    const summary = JSON.stringify({ type: "summary", bullets });
    const opened = await setUp([plan("read"), summary], { summarize: true });
    const { graph, server, model, authorized } = opened;
    const result = await graph.invoke(INPUT);
    expect(result.answer).toBe('- It failed. ("The invoice run failed")');
    expect(result.outcome).toMatchObject({ code: "complete", notFollowed: { tool: "close" } });
    expect(server.calls).toEqual(["read"]);
    expect(new Set(authorized)).toEqual(new Set(["read"]));
    expect(model.read).toHaveLength(2);
  });

  it("The answer is in the tool's own words if no claim of a summary is grounded.", async () => {
    const bullets = [{ claim: "It failed 3 times.", evidence: "The invoice run failed" }];
    const summary = JSON.stringify({ type: "summary", bullets });
    const { graph } = await setUp([plan("read"), summary], { summarize: true });
    const result = await graph.invoke(INPUT);
    expect(result.summary).toMatchObject({ grounded: false });
    expect(result.answer).toBe('{"title":"The invoice run failed"}');
  });

  it("A query that the policy denies is not planned.", async () => {
    const policy = () => ({ deny: "not today" });
    const { graph, model } = await setUp([plan("read")], { policy });
    const result = await graph.invoke(INPUT);
    expect(result).toMatchObject({ outcome: { code: "denied" } });
    expect(result.answer).toContain("not today");
    expect(model.read).toHaveLength(0);
  });

  it.each([
    ["text around the plan", `Sure: ${plan("read")}`, "invalid-arguments"],
    ["two plans", plan("read") + plan("read"), "invalid-arguments"],
    ["an unknown tool", plan("drop"), "unknown-tool"],
    ["unknown arguments", plan("read", { all: true }), "invalid-arguments"],
    [
      "a question",
      '{"type":"final_answer","needs_more_info":true,"answer":"Which?"}',
      "needs-more-info",
    ],
  ])("No call is made for %s.", async (_, text, code) => {
    const { graph, server } = await setUp([text]);
    const result = await graph.invoke(INPUT);
    expect(result.outcome).toMatchObject({ code });
    expect(result.answer).not.toBe("");
    expect(server.calls).toEqual([]);
  });

  it("No model is asked about a result without a checked type.", async () => {
    const { graph, model } = await setUp([plan("read"), "x"], { summarize: true }, { title: 7 });
    const result = await graph.invoke(INPUT);
    expect(result.outcome).toMatchObject({ code: "untyped-output" });
    expect(model.read).toHaveLength(1);
  });

  it("A call that needs a person waits, and is made once.", async () => {
    const checkpointer = new MemorySaver();
    const { graph, server } = await setUp([plan("close")], { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    expect(await graph.invoke(INPUT, config)).toHaveProperty("__interrupt__");
    expect(server.calls).toEqual([]);
    const resume = { decisions: [{ type: "approve" }] };
    const result = await graph.invoke(new Command({ resume }), config);
    expect(result.outcome).toMatchObject({ code: "complete" });
    expect(server.calls).toEqual(["close"]);
  });

  it("No call is made that a person rejects, or that nobody can be asked about.", async () => {
    const checkpointer = new MemorySaver();
    const { graph, server } = await setUp([plan("close")], { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(INPUT, config);
    const resume = { decisions: [{ type: "reject", message: "no" }] };
    const rejected = await graph.invoke(new Command({ resume }), config);
    expect(rejected.outcome).toMatchObject({ code: "denied" });
    const alone = await setUp([plan("close")]);
    expect((await alone.graph.invoke(INPUT)).outcome).toMatchObject({ code: "denied" });
    expect([...server.calls, ...alone.server.calls]).toEqual([]);
  });

  it("An approval of one plan does not approve another that was written into the state.", async () => {
    const checkpointer = new MemorySaver();
    const { graph, server } = await setUp([plan("close", { title: "a" })], { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(INPUT, config);
    const written = { type: "call_tool", tool: "close", arguments: { title: "b" } } as const;
    await graph.updateState(config, { plan: written }, "plan_call");
    const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const state = await graph.invoke(resume as never, config);
    expect(server.calls).toEqual([]);
    expect(state).toHaveProperty("__interrupt__.0.value.actionRequests.0.args", { title: "b" });
    await graph.invoke(resume as never, config);
    expect(server.seen.map(({ arguments: args }) => args)).toEqual([{ title: "b" }]);
  });

  it("A state that says that a person approved makes no call.", async () => {
    const checkpointer = new MemorySaver();
    const { graph, server } = await setUp([plan("close")], { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(INPUT, config);
    const outcome = { verdict: "allow", code: "complete" };
    const written = { decision: "approve", outcome } as never;
    await graph.updateState(config, written, "plan_call");
    await graph.invoke(null, config);
    expect(server.calls).toEqual([]);
  });

  it("Each query of a thread gets an answer of its own.", async () => {
    const checkpointer = new MemorySaver();
    const { graph, server } = await setUp([plan("read"), "nonsense"], { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(INPUT, config);
    const second = await graph.invoke(INPUT, config);
    expect(second.outcome).toMatchObject({ code: "invalid-arguments" });
    expect(server.calls).toEqual(["read"]);
  });

  it("The graph has a node for the plan, one for the call and one for the reply.", async () => {
    const { graph } = await setUp([]);
    const { nodes } = await graph.getGraphAsync();
    const names = ["__start__", "plan_call", "make_call", "reply", "__end__"];
    expect(Object.keys(nodes)).toEqual(names);
  });
});
