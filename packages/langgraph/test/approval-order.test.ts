import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { expect, it } from "vitest";
import { createTools } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { buildChainNodeGraph, buildToolNodeGraph } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CONFIG = { configurable: { thread_id: "1" } };

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

it.each([
  ["inside", buildToolNodeGraph],
  ["node", buildChainNodeGraph],
])("Calls that come in another order never get each other's answer (%s).", async (_, build) => {
  const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
  const model = new ScriptedModel([calling("c", {}, "c1"), calling("d", {}, "c2")], "done");
  const tools = createTools(host);
  const built = build({ host, model, tools, checkpointer: new MemorySaver() });
  const graph = built as ReturnType<typeof buildToolNodeGraph>;
  await graph.invoke(QUESTION, { ...CONFIG, callbacks: [new HoldUp("c2")] });
  const resume = { decisions: [{ type: "approve" }, { type: "reject" }] };
  const callbacks = [new HoldUp("c1")];
  const state = await graph.invoke(new Command({ resume }) as never, { ...CONFIG, callbacks });
  const ends = toolMessages(state.messages).map(({ tool_call_id: id, status }) => [id, status]);
  expect(ends).toEqual([
    ["c1", "success"],
    ["c2", "error"],
  ]);
  expect(server.calls).toEqual(["c"]);
});

it("No call of a ToolNode is made while another waits, and each is made once.", async () => {
  const { host, server } = await openBank(
    { slow: {}, pay: {} },
    { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
  const model = new ScriptedModel([calling("slow"), calling("pay", {}, "c2")], "done");
  const graph = buildToolNodeGraph({
    model,
    tools: createTools(host),
    checkpointer: new MemorySaver(),
  });
  await graph.invoke(QUESTION, CONFIG);
  expect(server.calls).toEqual([]);
  await graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), CONFIG);
  expect(server.calls.toSorted()).toEqual(["pay", "slow"]);
});

it("A pipe beside another call of a ToolNode does not wait: its step fails, and makes no call.", async () => {
  const { host, server } = await openBank({ c: {}, d: {} }, { requireApproval: ["bank.c"] });
  const pipe = calling("mcp_pipe", { steps: [{ id: "s", tool: "c" }] }, "c1");
  const model = new ScriptedModel([pipe, calling("d", {}, "c2")], "done");
  const tools = [...createTools(host), ...createPipeTool(host)];
  const graph = buildToolNodeGraph({ model, tools, checkpointer: new MemorySaver() });
  const { messages } = await graph.invoke(QUESTION, CONFIG);
  expect(toolMessages(messages).map(({ status }) => status)).toEqual(["error", "success"]);
  expect(server.calls).toEqual(["d"]);
});

it("Nobody is asked about a call of the turn that has its result already.", async () => {
  const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
  const turn = new AIMessage({ content: "", tool_calls: [callOf("c", "c1"), callOf("d", "c2")] });
  const made = new ToolMessage({ tool_call_id: "c1", name: "c", content: "c done" });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(createTools(host)))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
  const waiting = await graph.invoke({ messages: [turn, made] }, CONFIG);
  expect(waiting).toMatchObject({
    __interrupt__: [{ value: { actionRequests: [{ name: "d" }] } }],
  });
  await graph.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), CONFIG);
  expect(server.calls).toEqual(["d"]);
});

function callOf(name: string, id: string) {
  return { type: "tool_call", name, id, args: {} } as const;
}
