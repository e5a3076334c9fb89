import { setTimeout } from "node:timers/promises";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { type ApprovalRequest, createTools } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { buildChainNodeGraph, buildToolNodeGraph } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

/** A handler that LangChain waits for, and that holds up one of the tool calls. */
class HoldUp extends BaseCallbackHandler {
  override readonly name = "hold-up";
  override awaitHandlers = true;
  private readonly held: string;

  constructor(held: string) {
    super();
    this.held = held;
  }

  override async handleToolStart(...parameters: unknown[]): Promise<void> {
    if (parameters.at(-1) !== this.held && parameters[7] !== this.held) return;
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  }
}

/** Runs to the end: `c` is approved, anything else is not, and the calls come back in another order. */
async function answerInTurn(graph: ReturnType<typeof buildToolNodeGraph>) {
  const configurable = { thread_id: "1" };
  let state = await graph.invoke(QUESTION, { configurable, callbacks: [new HoldUp("c2")] });
  for (let round = 0; round < 4 && "__interrupt__" in state; round++) {
    const interrupts = state.__interrupt__ as { id: string; value: ApprovalRequest }[];
    const answers = interrupts.map(({ id, value }) => {
      const type = value.actionRequests[0]?.name === "c" ? "approve" : "reject";
      return [id, { decisions: [{ type }] }];
    });
    const resume = new Command({ resume: Object.fromEntries(answers) });
    state = await graph.invoke(resume as never, { configurable, callbacks: [new HoldUp("c1")] });
  }
  return toolMessages(state.messages).map(({ tool_call_id: id, status }) => [id, status]);
}

const OUTCOME = [
  ["c1", "success"],
  ["c2", "error"],
];

it.each([
  ["inside", buildToolNodeGraph],
  ["node", buildChainNodeGraph],
])("Calls that come in another order never get each other's answer (%s).", async (_, build) => {
  const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
  const model = new ScriptedModel([calling("c", {}, "c1"), calling("d", {}, "c2")], "done");
  const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
  expect(await answerInTurn(graph as ReturnType<typeof buildToolNodeGraph>)).toEqual(OUTCOME);
  expect(server.calls).toEqual(["c"]);
});

it("Two pipes of one turn never get each other's answer.", async () => {
  const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
  const pipe = (tool: string, id: string) =>
    calling("mcp_pipe", { steps: [{ id: "s", tool }] }, id);
  const model = new ScriptedModel([pipe("c", "c1"), pipe("d", "c2")], "done");
  const tools = createPipeTool(host);
  const graph = buildToolNodeGraph({ model, tools, checkpointer: new MemorySaver() });
  expect(await answerInTurn(graph)).toEqual(OUTCOME);
  expect(server.calls).toEqual(["c"]);
});

it("A call that is slower than the request to approve another one is made once.", async () => {
  const slow = { answer: () => setTimeout(300).then(() => ({ content: [] })) };
  const { host, server } = await openBank(
    { slow, pay: {} },
    { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
  const pipe = calling("mcp_pipe", { steps: [{ id: "s", tool: "slow" }] }, "c3");
  const model = new ScriptedModel([calling("pay"), calling("slow", {}, "c2"), pipe], "done");
  const tools = [...createTools(host), ...createPipeTool(host)];
  const graph = buildToolNodeGraph({ model, tools, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  await graph.invoke(QUESTION, config);
  expect(server.calls).toEqual(["slow", "slow"]);
  await graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
  expect(server.calls).toEqual(["slow", "slow", "pay"]);
});
