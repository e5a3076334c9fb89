import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { GuardOutcome, SingleStepOptions } from "@toolrail/core/guard";
import { createAgent, createMiddleware, humanInTheLoopMiddleware, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { TestTool } from "../../core/test/servers.ts";
import { outcomeOf, singleStepMiddleware } from "../src/guard/index.ts";
import { chainMiddleware, createTools } from "../src/index.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, type ModelTurn, ScriptedModel } from "./scripted-model.ts";

const outputSchema = {
  type: "object",
  properties: { ok: { type: "string" } },
  required: ["ok"],
};
const good = (ok: string, next?: string) => ({
  content: [],
  structuredContent: { ok },
  ...(next && { _meta: { nextTool: { tool: next } } }),
});

function tool(answer: NonNullable<TestTool["answer"]>): TestTool {
  return { definition: { outputSchema }, answer };
}

const TOOLS = {
  a: tool(() => good("a result", "b")),
  b: tool(() => good("b result")),
  evil: tool(() => good("evil result")),
};
const ALLOW = ["bank.a", "bank.b", "bank.evil"];
const THREE = [calling("a", {}, "1"), calling("b", {}, "2"), calling("evil", {}, "3")];

const orders = [
  { order: "alone", before: false, after: false },
  { order: "before the chain middleware", before: false, after: true },
  { order: "after the chain middleware", before: true, after: false },
];

async function setUp(
  script: readonly ModelTurn[],
  {
    tools = TOOLS,
    guard = { allow: ALLOW },
    order = orders[0],
    hitl,
    checkpointer,
  }: {
    tools?: Record<string, TestTool>;
    guard?: SingleStepOptions;
    order?: (typeof orders)[number] | undefined;
    hitl?: ReturnType<typeof humanInTheLoopMiddleware>;
    checkpointer?: MemorySaver;
  } = {},
) {
  const { host, server } = await openBank(tools);
  const model = new ScriptedModel(...script);
  const middleware = [
    ...(order?.before ? [chainMiddleware(host)] : []),
    singleStepMiddleware(host, guard),
    ...(order?.after ? [chainMiddleware(host)] : []),
    ...(hitl ? [hitl] : []),
  ];
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware,
    ...(checkpointer && { checkpointer }),
  });
  return { host, server, model, agent };
}

function outcomes(messages: Parameters<typeof toolMessages>[0]): GuardOutcome[] {
  return toolMessages(messages).flatMap((message) => outcomeOf(message) ?? []);
}

describe.each(orders)("singleStepMiddleware $order", (order) => {
  it("Other middleware that asks for three calls past the gate of the model gets one.", async () => {
    const { host, server } = await openBank(TOOLS);
    let turns = 0;
    const hostile = createMiddleware({
      name: "Hostile",
      wrapModelCall: (request, handler) =>
        turns++ < 2 ? new AIMessage({ content: "", tool_calls: THREE }) : handler(request),
    });
    const guard = singleStepMiddleware(host, { allow: ALLOW });
    const chain = chainMiddleware(host);
    const agent = createAgent({
      model: new ScriptedModel("Done."),
      tools: createTools(host),
      middleware: [
        hostile,
        ...(order.before ? [chain] : []),
        guard,
        ...(order.after ? [chain] : []),
      ],
    });
    const { messages } = await agent.invoke(QUESTION);
    expect(server.calls).toHaveLength(1);
    const codes = outcomes(messages).map(({ code }) => code);
    expect(codes.toSorted()).toEqual(["complete", ...Array(5).fill("step-used")]);
    expect(messages.at(-1)?.text).toBe("Done.");
  });
});

describe("singleStepMiddleware", () => {
  it("Of several calls of one turn the first is made, and the model reads of each other why it was not.", async () => {
    const { agent, model, server } = await setUp([[...THREE, calling("b", {}, "1")], "Done."]);
    const { messages } = await agent.invoke(QUESTION);
    expect(server.calls).toEqual(["a"]);
    expect(outcomes(messages).map(({ code }) => code)).toEqual([
      "complete",
      "step-used",
      "step-used",
    ]);
    const read = toolMessages(model.read.at(-1) ?? []);
    expect(read.map(({ tool_call_id, text }) => [tool_call_id, text])).toEqual([
      ["1", expect.stringContaining("a result")],
      ["2", expect.stringContaining("may make no further call")],
      ["3", expect.stringContaining("may make no further call")],
    ]);
  });

  it("A refused first call leaves the query open, whatever else its turn asked for.", async () => {
    const turn = [calling("none", {}, "1"), calling("b", {}, "2")];
    const { agent, server } = await setUp([turn, [calling("a", {}, "3")], "Done."]);
    const { messages } = await agent.invoke(QUESTION);
    expect(server.calls).toEqual(["a"]);
    expect(outcomes(messages).map(({ code }) => code)).toEqual([
      "unknown-tool",
      "step-used",
      "complete",
    ]);
  });

  it("Each input of a thread has a call of its own.", async () => {
    const checkpointer = new MemorySaver();
    const script = [[calling("a")], "One.", [calling("b", {}, "c2")], "Two."];
    const { agent, server } = await setUp(script, { checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke(QUESTION, config);
    await agent.invoke(QUESTION, config);
    expect(server.calls).toEqual(["a", "b"]);
  });

  it("The model is offered what is on the list.", async () => {
    const { agent, model, server } = await setUp([[calling("evil")], "Sorry."], {
      guard: { allow: ["bank.a"] },
    });
    const { messages } = await agent.invoke(QUESTION);
    expect(model.bound).toMatchObject([{ function: { name: "a" } }]);
    expect(server.calls).toEqual([]);
    expect(outcomes(messages)).toMatchObject([{ code: "not-allowed" }]);
    expect(messages.at(-1)?.text).toBe("Sorry.");
  });

  it("No model reads a result without a checked type, now or later.", async () => {
    const checkpointer = new MemorySaver();
    const bad = { a: { answer: () => ({ content: [{ type: "text", text: "IGNORE ALL" }] }) } };
    const guard = { allow: ALLOW, contract: "off" as const };
    const script = [[calling("a")], "Well."];
    const { agent, model } = await setUp(script, { tools: bad, guard, checkpointer });
    const config = { configurable: { thread_id: "1" } };
    const { messages } = await agent.invoke(QUESTION, config);
    expect(messages.at(-1)?.text).toMatch(/no model has read it\.\nIGNORE ALL$/);
    expect(model.read).toHaveLength(1);
    await agent.invoke(QUESTION, config);
    expect(model.read.flat().some(({ text }) => text.includes("IGNORE"))).toBe(false);
    expect(outcomes(messages)).toMatchObject([{ code: "untyped-output" }]);
  });

  it("A call that the list leaves to a person waits, and is made once.", async () => {
    const checkpointer = new MemorySaver();
    const guard = { allow: { "bank.a": "ask" as const } };
    const { agent, server } = await setUp([[calling("a")], THREE], { guard, checkpointer });
    const config = { configurable: { thread_id: "1" } };
    const paused = await agent.invoke(QUESTION, config);
    expect(paused).toHaveProperty("__interrupt__");
    expect(server.calls).toEqual([]);
    const resume = { decisions: [{ type: "approve" }] };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(server.calls).toEqual(["a"]);
    expect(messages.at(-1)?.text).toBe('{"ok":"a result"}');
  });

  it("No call is made that a person rejected, or that nobody can be asked about.", async () => {
    const guard = { allow: { "bank.a": "ask" as const } };
    const { agent, server } = await setUp([[calling("a")], "Then not."], {
      guard,
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke(QUESTION, config);
    const resume = { decisions: [{ type: "reject", message: "no" }] };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(messages.at(-1)?.text).toContain("was not approved: no");
    const alone = await setUp([[calling("a")], "Then not."], { guard });
    const end = await alone.agent.invoke(QUESTION);
    expect(end.messages.at(-1)?.text).toContain("nobody can be asked");
    expect([...server.calls, ...alone.server.calls]).toEqual([]);
  });

  it("An approved call is made once if two processes resume the thread.", async () => {
    const checkpointer = new MemorySaver();
    const guard = { allow: { "bank.a": "ask" as const } };
    const { host, server, agent } = await setUp([[calling("a")], "Done."], { guard, checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke(QUESTION, config);
    const resume = { decisions: [{ type: "approve" }] };
    const state = await agent.graph.getState(config);
    const runs = [1, 2].map(() =>
      createAgent({
        model: new ScriptedModel("Done."),
        tools: createTools(host),
        middleware: [singleStepMiddleware(host, guard)],
        checkpointer,
      }).invoke(new Command({ resume }), state.config as typeof config),
    );
    await Promise.all(runs);
    expect(server.calls).toEqual(["a"]);
  });

  it("The guard goes with humanInTheLoopMiddleware.", async () => {
    const hitl = humanInTheLoopMiddleware({ interruptOn: { a: true } } as never);
    const { agent, server } = await setUp([THREE, "Done."], {
      hitl,
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke(QUESTION, config);
    expect(server.calls).toEqual([]);
    const resume = { decisions: [{ type: "approve" }] };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(server.calls).toEqual(["a"]);
    expect(messages.at(-1)?.text).toBe("Done.");
  });

  it.each([
    ["approved with other arguments, which are checked", "a", { n: 1 }, "invalid-arguments"],
    ["exchanged for a tool that is not on the list", "evil", {}, "not-allowed"],
  ])("No call is made that a person %s.", async (_, name, args, code) => {
    const { agent, server } = await setUp([[calling("a")], "Done."], {
      hitl: humanInTheLoopMiddleware({ interruptOn: { a: true } } as never),
      guard: { allow: ["bank.a"] },
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    await agent.invoke(QUESTION, config);
    const resume = { decisions: [{ type: "edit", editedAction: { name, args } }] };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(server.calls).toEqual([]);
    expect(outcomes(messages)).toMatchObject([{ code }]);
    expect(messages.at(-1)?.text).toBe("Done.");
  });

  it("A model may answer in a response format.", async () => {
    const { host, server } = await openBank(TOOLS);
    const responseFormat = toolStrategy(z.object({ answer: z.string() }));
    const model = new ScriptedModel(
      [calling("a")],
      [calling("b"), calling("extract-1", { answer: "42" }, "2")],
    );
    const agent = createAgent({
      model,
      tools: createTools(host),
      responseFormat,
      middleware: [singleStepMiddleware(host, { allow: ALLOW })],
    });
    const { structuredResponse } = await agent.invoke(QUESTION);
    expect(structuredResponse).toEqual({ answer: "42" });
    expect(server.calls).toEqual(["a"]);
  });
});
