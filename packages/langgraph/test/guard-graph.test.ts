import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { createSingleStepGraph, type SingleStepGraphOptions } from "../src/index.ts";
import { openBank } from "./graphs.ts";
import { ScriptedModel } from "./scripted-model.ts";

const outputSchema = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
};
const plan = (tool: string, args: object = {}) =>
  JSON.stringify({ type: "call_tool", tool, arguments: args });

async function setUp(
  script: readonly string[],
  options: Partial<SingleStepGraphOptions> = {},
  structuredContent: unknown = { title: "The invoice run failed" },
) {
  const answer = () => ({ content: [], structuredContent, _meta: { nextTool: { tool: "close" } } });
  const { host, server } = await openBank({
    read: { definition: { outputSchema }, answer },
    close: { definition: { outputSchema }, answer },
  });
  const model = new ScriptedModel(...script);
  const allow = { "bank.read": "allow", "bank.close": "ask" } as const;
  const graph = createSingleStepGraph({ model, host, allow, ...options });
  return { server, model, graph };
}

const INPUT = { query: "What is wrong?" };

describe("createSingleStepGraph", () => {
  it("goes from the query to a grounded answer, and makes one call", async () => {
    const bullets = [{ claim: "It failed.", evidence: "The invoice run failed" }];
    const summary = JSON.stringify({ type: "summary", bullets });
    const { graph, server, model } = await setUp([plan("read"), summary], { summarize: true });
    const result = await graph.invoke(INPUT);
    expect(result.answer).toBe('- It failed. ("The invoice run failed")');
    expect(result.outcome).toMatchObject({ code: "complete", notFollowed: { tool: "close" } });
    expect(server.calls).toEqual(["read"]);
    expect(model.read).toHaveLength(2);
  });

  it("answers in the tool's own words where no claim of a summary is grounded", async () => {
    const bullets = [{ claim: "It failed 3 times.", evidence: "The invoice run failed" }];
    const summary = JSON.stringify({ type: "summary", bullets });
    const { graph } = await setUp([plan("read"), summary], { summarize: true });
    const result = await graph.invoke(INPUT);
    expect(result.summary).toMatchObject({ grounded: false });
    expect(result.answer).toBe('{"title":"The invoice run failed"}');
  });

  it("stops at the policy, before anything is planned", async () => {
    const policy = () => ({ deny: "not today" });
    const { graph, model } = await setUp([plan("read")], { policy });
    const result = await graph.invoke(INPUT);
    expect(result).toMatchObject({ outcome: { code: "query-refused" } });
    expect(result.answer).toContain("not today");
    expect(model.read).toHaveLength(0);
  });

  it.each([
    ["text around the plan", `Sure: ${plan("read")}`, "malformed-plan"],
    ["two plans", plan("read") + plan("read"), "malformed-plan"],
    ["an unknown tool", plan("drop"), "unknown-tool"],
    ["unknown arguments", plan("read", { all: true }), "invalid-arguments"],
    [
      "a question",
      '{"type":"final_answer","needs_more_info":true,"answer":"Which?"}',
      "needs-more-info",
    ],
  ])("makes no call for %s", async (_, text, code) => {
    const { graph, server } = await setUp([text]);
    const result = await graph.invoke(INPUT);
    expect(result.outcome).toMatchObject({ code });
    expect(result.answer).not.toBe("");
    expect(server.calls).toEqual([]);
  });

  it("asks no model about a result without a checked type", async () => {
    const { graph, model } = await setUp([plan("read"), "x"], { summarize: true }, { title: 7 });
    const result = await graph.invoke(INPUT);
    expect(result.outcome).toMatchObject({ code: "untyped-output" });
    expect(model.read).toHaveLength(1);
  });

  it("waits for a person, and makes the call once", async () => {
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

  it("makes no call that a person rejects, or that nobody can be asked about", async () => {
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

  it("answers each query of a thread anew", async () => {
    const checkpointer = new MemorySaver();
    const { graph, server } = await setUp([plan("read"), "nonsense"], { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(INPUT, config);
    const second = await graph.invoke(INPUT, config);
    expect(second.outcome).toMatchObject({ code: "malformed-plan" });
    expect(server.calls).toEqual(["read"]);
  });

  it("can be drawn, one node for each gate", async () => {
    const { graph } = await setUp([]);
    const drawn = (await graph.getGraphAsync()).drawMermaid();
    for (const node of ["check_query", "discover_tools", "plan_call", "check_plan", "make_call"]) {
      expect(drawn).toContain(`${node}(${node})`);
    }
  });
});
