import type { ToolMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asking, type TestTool } from "../../core/test/servers.ts";
import {
  artifactOf,
  chainNode,
  chainState,
  createTools,
  isHopMessage,
  type ToolArtifact,
} from "../src/index.ts";
import { builds, type ChainParts, chainKinds } from "./builds.ts";
import { openBank, outline, QUESTION, toolMessages } from "./graphs.ts";
import { calling, type ModelTurn, ScriptedModel } from "./scripted-model.ts";

const CHAIN = {
  a: { answer: () => asking("b", { k: 1 }, "on to b") },
  b: { answer: () => asking("c", {}, "on to c") },
  c: {},
};
const APP_ONLY = { definition: { _meta: { ui: { visibility: ["app"] } } } };
/** An application that shows what it hears of. */
const SHOWN = { onHop: () => {} };
const FOR_USER = { content: [{ type: "text", text: "1234", annotations: { audience: ["user"] } }] };

function artifacts(messages: ToolMessage[]): ToolArtifact[] {
  return messages.flatMap((message) => artifactOf(message) ?? []);
}

describe.each(chainKinds)("in $kind", ({ build }) => {
  async function ask(
    tools: Record<string, TestTool>,
    turn: ModelTurn = [calling("a")],
    options: Partial<ChainParts> & Parameters<typeof openBank>[1] & { onHop?: () => void } = {},
  ) {
    const { fold, endWhenShown, onHop, ...hostOptions } = options;
    const { host, server } = await openBank(tools, hostOptions);
    const model = new ScriptedModel(turn, "done");
    const chain = {
      ...(fold === false && { fold }),
      ...(endWhenShown === false && { endWhenShown }),
    };
    const graph = build({
      host,
      model,
      tools: createTools(host, { appOnly: true, ...(onHop && { onHop }) }),
      ...chain,
    });
    const { messages } = await graph.invoke(QUESTION);
    return { server, model, messages, results: toolMessages(messages) };
  }

  it("Every hop is a turn with a tool call and its result, and no model is asked in between.", async () => {
    const { server, model, messages, results } = await ask(CHAIN);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(server.seen[1]?.arguments).toEqual({ k: 1 });
    expect(model.read).toHaveLength(2);
    expect(outline(messages).map((line) => line.replace(/hop-\S+:/, "hop:"))).toEqual([
      "human: please",
      "ai: a",
      "tool c1: on to b",
      "ai: b",
      "tool hop: on to c",
      "ai: c",
      "tool hop: c done",
      "ai: done",
    ]);
    expect(artifacts(results).map(({ hops }) => hops.length)).toEqual([1, 1, 1]);
  });

  it("Hops are told apart from turns of the model, and share the run of their chain.", async () => {
    const { messages, results } = await ask(CHAIN);
    expect(messages.map(isHopMessage)).toEqual([0, 0, 0, 1, 0, 1, 0, 0].map(Boolean));
    const hops = artifacts(results).flatMap((artifact) => artifact.hops);
    expect(hops.map(({ origin }) => origin)).toMatchObject([
      { by: "model", toolCallId: "c1" },
      { by: "chain", depth: 1, causedBy: hops[0]?.callId },
      { by: "chain", depth: 2, causedBy: hops[1]?.callId },
    ]);
    expect(new Set(hops.map(({ runId }) => runId)).size).toBe(1);
    expect(artifacts(results).map(({ ended }) => ended)).toEqual([
      undefined,
      undefined,
      "complete",
    ]);
  });

  it("The model reads a chain folded into the result of its own call.", async () => {
    const { model } = await ask(CHAIN);
    expect(outline(model.read[1] ?? [])).toEqual([
      "human: please",
      "ai: a",
      "tool c1: a:on to bThen b was called:on to cThen c was called:c done",
    ]);
  });

  it("The model reads each hop as a turn if `fold` is false.", async () => {
    const { model } = await ask(CHAIN, undefined, { fold: false });
    expect(model.read[1]).toHaveLength(7);
  });

  it("Chains that run side by side continue side by side, each to its end.", async () => {
    const { server, model, messages } = await ask(
      {
        ...CHAIN,
        d: { answer: () => asking("e", {}, "on to e") },
        e: {},
        f: {},
      },
      [calling("a", {}, "c1"), calling("f", {}, "c2"), calling("d", {}, "c3")],
    );
    expect(server.calls.toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(model.read).toHaveLength(2);
    expect(outline(messages).filter((line) => line.startsWith("ai"))).toEqual([
      "ai: a, f, d",
      "ai: b, e",
      "ai: c",
      "ai: done",
    ]);
    expect(outline(model.read[1] ?? []).slice(2)).toEqual([
      "tool c1: a:on to bThen b was called:on to cThen c was called:c done",
      "tool c2: f done",
      "tool c3: d:on to eThen e was called:e done",
    ]);
  });

  it("A hop may reach a tool that the model is not offered and cannot call.", async () => {
    const tools = { a: { answer: () => asking("b") }, b: APP_ONLY };
    expect((await ask(tools)).server.calls).toEqual(["a", "b"]);
    const { server, results } = await ask(tools, [calling("b")]);
    expect(server.calls).toEqual([]);
    expect(results[0]?.status).toBe("error");
  });

  it("A hop that the host would refuse is not begun.", async () => {
    const inputSchema = { type: "object", required: ["n"] };
    const { server, messages, results } = await ask({
      a: { answer: () => asking("b") },
      b: { definition: { inputSchema } },
    });
    expect(server.calls).toEqual(["a"]);
    expect(messages.some(isHopMessage)).toBe(false);
    expect(artifacts(results)).toMatchObject([{ ended: "invalid-arguments" }]);
  });

  it("The run ends without the model if everything was for the user alone.", async () => {
    const tools = {
      a: { answer: () => ({ ...FOR_USER, _meta: { nextTool: { tool: "b" } } }) },
      b: { answer: () => FOR_USER },
    };
    const { model, messages } = await ask(tools, undefined, SHOWN);
    expect(model.read).toHaveLength(1);
    expect(messages.at(-1)?.text).toBe("");
    const asked = await ask(tools, undefined, { ...SHOWN, endWhenShown: false });
    expect(asked.model.read).toHaveLength(2);
  });

  it("If nothing shows results to the user, the run goes on, and the model is not told that they were shown.", async () => {
    const events: string[] = [];
    const { model, results } = await ask({ a: { answer: () => FOR_USER } }, undefined, {
      onEvent: (event) => void (event.type === "warning" && events.push(event.code)),
    });
    expect(model.read).toHaveLength(2);
    expect(results[0]?.text).toBe("The result is for the user alone.");
    expect(artifacts(results)).toMatchObject([{ hops: [{ result: FOR_USER }] }]);
    expect(events).toEqual(["nobody-listens"]);
  });

  it("The model is asked if one result was for it.", async () => {
    const tools = { a: { answer: () => asking("b") }, b: { answer: () => FOR_USER } };
    const { model } = await ask(tools, undefined, SHOWN);
    expect(model.read).toHaveLength(2);
    expect(outline(model.read[1] ?? []).at(-1)).toBe(
      "tool c1: a:more to comeThen b was called:The result was shown to the user.",
    );
  });

  it("The empty turn that ended a run is not read by the model later.", async () => {
    const { host } = await openBank({ a: { answer: () => FOR_USER } });
    const model = new ScriptedModel([calling("a")], "hello again");
    const checkpointer = new MemorySaver();
    const tools = createTools(host, SHOWN);
    const graph = build({ host, model, tools, checkpointer });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke(QUESTION, config);
    await graph.invoke(QUESTION, config);
    expect(outline(model.read[1] ?? [])).toEqual([
      "human: please",
      "ai: a",
      "tool c1: The result was shown to the user.",
      "human: please",
    ]);
  });
});

it("A model that repeats the id of a refused call gets an answer to each of them.", async () => {
  const { host, server } = await openBank({ a: {} }, { authorize: () => ({ deny: "no" }) });
  const model = new ScriptedModel([calling("a")], [calling("a")], "done");
  const agent = builds.middleware({ host, model, tools: createTools(host) });
  const { messages } = await agent.invoke(QUESTION);
  const types = messages.map(({ type }) => type);
  expect(types).toEqual(["human", "ai", "tool", "ai", "tool", "ai"]);
  expect(server.calls).toEqual([]);
});

it("A graph over a StateSchema has native hops too, and keeps its own keys.", async () => {
  const { host, server } = await openBank(CHAIN);
  const State = new StateSchema({ messages: MessagesValue, user: z.string() });
  const model = new ScriptedModel([calling("a")], "done");
  const ask = async ({ messages, user }: typeof State.State) => {
    expect(user).toBe("u1");
    return { messages: [await model.invoke(messages)] };
  };
  const graph = new StateGraph(chainState(State))
    .addNode("agent", chainNode(host, { agent: ask }))
    .addNode("tools", new ToolNode(createTools(host)))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent")
    .compile();
  const output = await graph.invoke({ ...QUESTION, user: "u1" });
  expect(server.calls).toEqual(["a", "b", "c"]);
  expect(Object.keys(output)).toEqual(["messages", "user"]);
});

it("A graph over chainState without a chainNode loses no hop: the chain runs inside its first call.", async () => {
  for (const state of [MessagesAnnotation, new StateSchema({ messages: MessagesValue })] as const) {
    const { host, server } = await openBank(CHAIN);
    const model = new ScriptedModel([calling("a")], "done");
    const ask = async ({ messages }: typeof MessagesAnnotation.State) => ({
      messages: [await model.invoke(messages)],
    });
    const graph = new StateGraph(chainState(state as typeof MessagesAnnotation))
      .addNode("agent", ask)
      .addNode("tools", new ToolNode(createTools(host)))
      .addEdge(START, "agent")
      .addConditionalEdges("agent", toolsCondition, ["tools", END])
      .addEdge("tools", "agent")
      .compile({ checkpointer: new MemorySaver() });
    const { messages } = await graph.invoke(QUESTION, { configurable: { thread_id: "1" } });
    expect(artifacts(toolMessages(messages))).toMatchObject([{ ended: "complete" }]);
    expect(server.calls).toEqual(["a", "b", "c"]);
  }
});

it("A chainNode in a graph without chainState is refused before its model is asked.", async () => {
  const { host } = await openBank(CHAIN);
  const model = new ScriptedModel([calling("a")], "done");
  const agent = async () => ({ messages: await model.invoke([]) });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", chainNode(host, { agent }))
    .addEdge(START, "agent")
    .compile();
  const refused = graph.invoke(QUESTION);
  await expect(refused).rejects.toMatchObject({ code: "invalid-options" });
  await expect(refused).rejects.toThrow("new StateGraph(chainState(MessagesAnnotation))");
  expect(model.read).toEqual([]);
});

it("A state that chainState cannot make room in is refused.", () => {
  const state = z.object({ user: z.string() });
  expect(() => chainState(state as never)).toThrow(
    /Put the fields of a zod object into a StateSchema/,
  );
});

it("An agent node may be a runnable, and may route with a Command beside its edges.", async () => {
  const { host, server } = await openBank(CHAIN);
  const model = new ScriptedModel([calling("a")], "done");
  const ask = RunnableLambda.from(async ({ messages }: typeof MessagesAnnotation.State) => {
    const message = await model.invoke(messages);
    const goto = message.tool_calls?.length ? "tools" : END;
    return new Command({ update: { messages: [message] }, goto });
  });
  const graph = new StateGraph(chainState(MessagesAnnotation))
    .addNode("agent", chainNode(host, { agent: ask }), { ends: ["tools", END] })
    .addNode("tools", new ToolNode(createTools(host)))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent")
    .compile();
  await graph.invoke(QUESTION);
  expect(server.calls).toEqual(["a", "b", "c"]);
});
