import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { type ApprovalRequest, createTools } from "../src/index.ts";
import { buildChainAgent, buildChainNodeGraph, buildToolNodeGraph, kinds } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const NUMBER = { type: "object", properties: { k: { type: "number" } } };
const CHAIN = {
  a: { answer: () => asking("b", { k: 1 }) },
  b: { definition: { inputSchema: NUMBER }, answer: () => asking("c") },
  c: {},
  d: {},
};
const APPROVE = new Command({ resume: { decisions: [{ type: "approve" }] } });
const CONFIG = { configurable: { thread_id: "1" } };
const edit = (args: object, name = "b") =>
  new Command({ resume: { decisions: [{ type: "edit", editedAction: { name, args } }] } });

type Parts = Parameters<typeof buildToolNodeGraph>[0] & Parameters<typeof buildChainAgent>[0];

/** A graph of which the graph under test is a node, as a subgraph and as a function's own call. */
function nest(graph: ReturnType<typeof buildToolNodeGraph>, parts: Parts) {
  return new StateGraph(MessagesAnnotation)
    .addNode("inner", graph)
    .addEdge(START, "inner")
    .addEdge("inner", END)
    .compile({ checkpointer: parts.checkpointer ?? false });
}

/** The same, where a function calls the graph under test. */
function nestInFunction(graph: ReturnType<typeof buildToolNodeGraph>, parts: Parts) {
  return new StateGraph(MessagesAnnotation)
    .addNode("inner", (state, config) => graph.invoke(state, config))
    .addEdge(START, "inner")
    .addEdge("inner", END)
    .compile({ checkpointer: parts.checkpointer ?? false });
}

const inner = (parts: Parts): Parts => {
  const { checkpointer: _, ...rest } = parts;
  return rest;
};

const graphs = [
  { key: "createAgent", build: (parts: Parts) => kinds[0].build(parts) },
  { key: "ToolNode", build: (parts: Parts) => kinds[1].build(parts) },
  {
    key: "createAgent in a nested graph",
    build: (parts: Parts) => nest(kinds[0].build(inner(parts)).graph as never, parts),
  },
  {
    key: "ToolNode in a nested graph",
    build: (parts: Parts) => nest(buildToolNodeGraph(inner(parts)), parts),
  },
  {
    key: "ToolNode in a graph that a function calls",
    build: (parts: Parts) => nestInFunction(buildToolNodeGraph(inner(parts)), parts),
  },
  {
    key: "ToolNode with chainNode in a graph that a function calls",
    build: (parts: Parts) => nestInFunction(buildChainNodeGraph(inner(parts)) as never, parts),
  },
  { key: "createAgent with chainMiddleware", build: (parts: Parts) => buildChainAgent(parts) },
  { key: "ToolNode with chainNode", build: (parts: Parts) => buildChainNodeGraph(parts) },
  {
    key: "createAgent with chainMiddleware in a nested graph",
    build: (parts: Parts) => nest(buildChainAgent(inner(parts)).graph as never, parts),
  },
  {
    key: "ToolNode with chainNode in a nested graph",
    build: (parts: Parts) => nest(buildChainNodeGraph(inner(parts)) as never, parts),
  },
];

describe.each(graphs)("in $place", ({ build }) => {
  async function open(asked: readonly string[], turn = [calling("a")]) {
    const { host, server } = await openBank(CHAIN, {
      authorize: ({ tool }) => (asked.includes(tool.name) ? "ask" : "allow"),
    });
    const model = new ScriptedModel(turn, "done");
    const checkpointer = new MemorySaver();
    const parts = { host, model, tools: createTools(host), checkpointer };
    return { server, model, graph: build(parts) };
  }

  it("A hop that needs approval waits, and runs once it is approved; no other runs again.", async () => {
    const { server, model, graph } = await open(["c"]);
    const paused = await graph.invoke(QUESTION, CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
    expect(paused).toHaveProperty("__interrupt__.0.value", {
      actionRequests: [
        {
          name: "c",
          args: {},
          description: expect.stringContaining("bank.c needs a person's approval"),
        },
      ],
      reviewConfigs: [{ actionName: "c", allowedDecisions: ["approve", "edit", "reject"] }],
      call: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { messages } = await graph.invoke(APPROVE, CONFIG);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.read).toHaveLength(2);
    expect(toolMessages(messages).at(-1)).toMatchObject({
      status: "success",
      artifact: { ended: "complete" },
    });
  });

  it("A person changes the arguments of a hop with an edit, and is asked again if they do not fit.", async () => {
    const { server, graph } = await open(["b"]);
    const paused = await graph.invoke(QUESTION, CONFIG);
    expect(paused).toHaveProperty("__interrupt__.0.value.actionRequests.0.args", { k: 1 });
    const again = await graph.invoke(edit({ k: "one" }), CONFIG);
    expect(again).toHaveProperty(
      "__interrupt__.0.value.actionRequests.0.description",
      expect.stringMatching(/The arguments of bank\.b were not sent/),
    );
    expect(server.calls).toEqual(["a"]);
    const { messages } = await graph.invoke(edit({ k: 2 }), CONFIG);
    expect(server.seen.map(({ arguments: args }) => args)).toEqual([{}, { k: 2 }, {}]);
    expect(JSON.stringify(toolMessages(messages))).toContain(
      "The person who approved this call changed its arguments",
    );
  });

  it("An edit that names another tool is no approval.", async () => {
    const { server, graph } = await open(["b"]);
    await graph.invoke(QUESTION, CONFIG);
    const { messages } = await graph.invoke(edit({}, "d"), CONFIG);
    expect(server.calls).toEqual(["a"]);
    expect(toolMessages(messages).at(-1)?.text).toContain("names a tool other than b");
  });

  it("No call runs again if checkpoints are written at the end alone.", async () => {
    const { server, graph } = await open(["c"]);
    const config = { ...CONFIG, durability: "exit" as const };
    await graph.invoke(QUESTION, config);
    await graph.invoke(APPROVE, config);
    expect(server.calls).toEqual(["a", "b", "c"]);
  });

  it("Each hop that needs approval waits for its own.", async () => {
    const { server, graph } = await open(["a", "b", "c"]);
    await graph.invoke(QUESTION, CONFIG);
    expect(server.calls).toEqual([]);
    await graph.invoke(APPROVE, CONFIG);
    expect(server.calls).toEqual(["a"]);
    await graph.invoke(APPROVE, CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
    const { messages } = await graph.invoke(APPROVE, CONFIG);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(toolMessages(messages).at(-1)?.status).toBe("success");
  });

  it.each([
    [{ decisions: [{ type: "reject", message: "not today" }] }, "not today"],
    [{ decisions: [] }, "was not approved"],
    [true, "was not approved"],
    [{ decisions: [{ type: "approve" }, { type: "approve" }] }, "was not approved"],
    [
      { decisions: [{ type: "edit", editedAction: { args: {} } }, { type: "approve" }] },
      "was not approved",
    ],
  ])("An answer that is not a plain yes counts as a no: %j.", async (resume, reason) => {
    const { server, model, graph } = await open(["b"]);
    await graph.invoke(QUESTION, CONFIG);
    const { messages } = await graph.invoke(new Command({ resume }), CONFIG);
    expect(server.calls).toEqual(["a"]);
    expect(model.read).toHaveLength(2);
    const last = toolMessages(messages).at(-1);
    expect(last).toMatchObject({ status: "error", artifact: { ended: "denied" } });
    expect(last?.text).toContain(reason);
  });

  it("A finished call beside the one that waits does not run again.", async () => {
    const { server, graph } = await open(["c"], [calling("a", {}, "c1"), calling("d", {}, "c2")]);
    await graph.invoke(QUESTION, CONFIG);
    await graph.invoke(APPROVE, CONFIG);
    expect(server.calls.toSorted()).toEqual(["a", "b", "c", "d"]);
  });
});

it.each(graphs)(
  "Calls that wait side by side are answered by the ids of their interrupts ($place).",
  async ({ build }) => {
    const { host, server } = await openBank(CHAIN, {
      authorize: ({ tool: { name } }) => (name === "c" || name === "d" ? "ask" : "allow"),
    });
    const model = new ScriptedModel([calling("c", {}, "c1"), calling("d", {}, "c2")], "done");
    const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
    const answers: string[][] = [];
    let paused = await graph.invoke(QUESTION, CONFIG);
    for (let round = 0; round < 3 && "__interrupt__" in paused; round++) {
      const interrupts = paused.__interrupt__ as { id: string; value: ApprovalRequest }[];
      const names = interrupts.map(({ value }) => value.actionRequests[0]?.name ?? "");
      answers.push(names);
      const resume = Object.fromEntries(
        interrupts.map(({ id }, at) => [
          id,
          { decisions: [{ type: names[at] === "c" ? "approve" : "reject" }] },
        ]),
      );
      paused = await graph.invoke(new Command({ resume }), CONFIG);
    }
    expect(answers.flat().toSorted()).toEqual(["c", "d"]);
    expect(server.calls).toEqual(["c"]);
    expect(toolMessages(paused.messages).map(({ status }) => status)).toEqual(["success", "error"]);
  },
);

it("Without a checkpointer the model is told that a person must approve, and why nobody was asked.", async () => {
  for (const build of [buildChainAgent, buildChainNodeGraph, kinds[0].build, kinds[1].build]) {
    const { host, server } = await openBank(CHAIN, {
      authorize: ({ tool }) => (tool.name === "b" ? "ask" : "allow"),
    });
    const model = new ScriptedModel([calling("a")], "done");
    const { messages } = await build({ host, model, tools: createTools(host) }).invoke(QUESTION);
    expect(server.calls).toEqual(["a"]);
    expect(toolMessages(messages).at(-1)).toMatchObject({
      status: "error",
      artifact: { ended: "needs-approval" },
      text: expect.stringMatching(
        /needs a person's approval.*This graph has no checkpointer, so the call cannot wait/,
      ),
    });
  }
});

it("Outside a graph the outcome is the pause itself.", async () => {
  const { host, server } = await openBank(CHAIN, { authorize: () => "ask" });
  const message = await createTools(host)[0]?.invoke(calling("a"));
  expect(message).toMatchObject({
    status: "error",
    artifact: { ended: "needs-approval", hops: [] },
  });
  expect(server.calls).toEqual([]);
});
