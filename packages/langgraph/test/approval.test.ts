import type { BaseMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import type { HostEvent } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { type ApprovalRequest, artifactOf, createTools } from "../src/index.ts";
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

/** Graphs whose hops are turns, so that each of them can wait. */
const chained = [
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
  {
    key: "ToolNode with chainNode in a graph that a function calls",
    build: (parts: Parts) => nestInFunction(buildChainNodeGraph(inner(parts)) as never, parts),
  },
];

/** Graphs in which a chain is one tool call, which can wait before its first call alone. */
const whole = [
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
];
type Build = (parts: Parts) => unknown;
interface Graph {
  invoke(input: unknown, config: object): Promise<{ readonly messages: BaseMessage[] }>;
}

async function open(build: Build, asked: readonly string[], turn = [calling("a")]) {
  const { host, server } = await openBank(CHAIN, {
    authorize: ({ tool }) => (asked.includes(tool.name) ? { ask: `why ${tool.name}` } : "allow"),
  });
  const model = new ScriptedModel(turn, "done");
  const checkpointer = new MemorySaver();
  const parts = { host, model, tools: createTools(host), checkpointer };
  return { server, model, checkpointer, graph: build(parts) as Graph };
}

const requestIn = (paused: object) =>
  (paused as { __interrupt__?: { id: string; value: ApprovalRequest }[] }).__interrupt__ ?? [];

describe.each(chained)("in $key", ({ build }) => {
  it("A hop that needs approval waits, and runs once it is approved; no other runs again.", async () => {
    const { server, model, graph } = await open(build, ["c"]);
    const paused = await graph.invoke(QUESTION, CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
    const [interrupt] = requestIn(paused);
    expect(interrupt?.value).toEqual({
      actionRequests: [
        { name: "c", args: {}, reason: "why c", description: expect.stringContaining("why c") },
      ],
      reviewConfigs: [{ actionName: "c", allowedDecisions: ["approve", "edit", "reject"] }],
    });
    const { messages } = await graph.invoke(APPROVE, CONFIG);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.read).toHaveLength(2);
    expect(toolMessages(messages).at(-1)).toMatchObject({
      status: "success",
      artifact: { ended: "complete" },
    });
  });

  it("Each hop that needs approval waits for its own.", async () => {
    const { server, graph } = await open(build, ["a", "b", "c"]);
    await graph.invoke(QUESTION, CONFIG);
    for (const calls of [["a"], ["a", "b"], ["a", "b", "c"]]) {
      await graph.invoke(APPROVE, CONFIG);
      expect(server.calls).toEqual(calls);
    }
  });

  it("No call runs again if checkpoints are written at the end alone.", async () => {
    const { server, graph } = await open(build, ["c"]);
    const config = { ...CONFIG, durability: "exit" as const };
    await graph.invoke(QUESTION, config);
    await graph.invoke(APPROVE, config);
    expect(server.calls).toEqual(["a", "b", "c"]);
  });

  it("A rejected hop is not made, and the model reads why.", async () => {
    const { server, model, graph } = await open(build, ["b"]);
    await graph.invoke(QUESTION, CONFIG);
    const decisions = [{ type: "reject", message: "not today" }];
    const { messages } = await graph.invoke(new Command({ resume: { decisions } }), CONFIG);
    expect(server.calls).toEqual(["a"]);
    expect(model.read).toHaveLength(2);
    const last = toolMessages(messages).at(-1);
    expect(last).toMatchObject({ status: "error", artifact: { ended: "denied" } });
    expect(last?.text).toContain("not today");
  });
});

describe.each(whole)("in $key", ({ build }) => {
  it("A chain ends with needs-approval before the hop that needs it, and makes no call again.", async () => {
    const { server, graph } = await open(build, ["c"]);
    const { messages } = await graph.invoke(QUESTION, CONFIG);
    expect(server.calls).toEqual(["a", "b"]);
    const last = toolMessages(messages).at(-1);
    expect(last && artifactOf(last)).toMatchObject({ ended: "needs-approval" });
  });
});

const all = [...chained, ...whole];

describe.each(all)("in $key", ({ build }) => {
  const turn = [calling("d", {}, "c1"), calling("c", {}, "c2"), calling("b", { k: 1 }, "c3")];

  it("A call that waits holds up the others of its tools node, and each is made once.", async () => {
    const { server, graph } = await open(build, ["c"], turn);
    await graph.invoke(QUESTION, CONFIG);
    await graph.invoke(APPROVE, CONFIG);
    expect(server.calls.filter((name) => name === "d")).toHaveLength(1);
    expect(server.calls.filter((name) => name === "b")).toHaveLength(1);
  });

  it("A person changes the arguments of a call with an edit.", async () => {
    const { server, graph } = await open(build, ["b"], [calling("b", { k: 1 })]);
    await graph.invoke(QUESTION, CONFIG);
    const { messages } = await graph.invoke(edit({ k: 2 }), CONFIG);
    expect(server.seen[0]).toMatchObject({ name: "b", arguments: { k: 2 } });
    expect(JSON.stringify(toolMessages(messages))).toContain(
      "The person who approved this call changed its arguments",
    );
  });

  it.each([
    ["yes", /decisions/],
    [true, /decisions/],
    [{ decisions: [] }, /1 calls? and 0 decisions/],
    [{ decisions: [{ type: "approve" }, { type: "approve" }] }, /2 decisions/],
    [{ decisions: [{ type: "accept" }] }, /decisions\[0\]\.type /],
    [{ decisions: [{ type: "edit", editedAction: { name: "d", args: {} } }] }, /another tool/],
    [{ decisions: [{ type: "edit" }] }, /decisions\[0\]\.editedAction /],
    [{ decisions: [{ type: "approve", editedAction: { args: {} } }] }, /has the type "edit"/],
    [
      { decisions: [{ type: "edit", editedAction: { args: { k: "one" } } }] },
      /arguments of bank\.b/,
    ],
  ])(
    "The answer %j decides nothing: the person is asked again, with the reason.",
    async (resume, problem) => {
      const { server, graph } = await open(build, ["b"], [calling("b", { k: 1 })]);
      await graph.invoke(QUESTION, CONFIG);
      const again = await graph.invoke(new Command({ resume }), CONFIG);
      const [interrupt] = requestIn(again);
      expect(interrupt?.value.problem).toMatch(problem);
      expect(interrupt?.value.actionRequests[0]?.description).toMatch(problem);
      expect(server.calls).toEqual([]);
      await graph.invoke(APPROVE, CONFIG);
      expect(server.calls).toContain("b");
    },
  );
});

describe.each([...chained, ...whole.filter(({ key }) => key.startsWith("ToolNode"))])(
  "Two calls of one turn in $key",
  ({ build }) => {
    const turn = [calling("c", {}, "c1"), calling("d", {}, "c2")];

    it("are asked about with one interrupt, and its decisions count in their order.", async () => {
      const { server, graph } = await open(build, ["c", "d"], turn);
      const asked = requestIn(await graph.invoke(QUESTION, CONFIG));
      expect(asked).toHaveLength(1);
      expect(asked[0]?.value.actionRequests.map(({ name }) => name)).toEqual(["c", "d"]);
      const decisions = [{ type: "reject" }, { type: "approve" }];
      const { messages } = await graph.invoke(new Command({ resume: { decisions } }), CONFIG);
      expect(server.calls).toEqual(["d"]);
      expect(toolMessages(messages).map(({ status }) => status)).toEqual(["error", "success"]);
    });

    it("are not made for one decision.", async () => {
      const { server, graph } = await open(build, ["c", "d"], turn);
      await graph.invoke(QUESTION, CONFIG);
      const [again] = requestIn(await graph.invoke(APPROVE, CONFIG));
      expect(again?.value.problem).toMatch(/2 calls and 1 decisions/);
      expect(server.calls).toEqual([]);
    });
  },
);

describe.each(all)("A new message instead of an answer in $key", ({ build }) => {
  it("drops the call that waits: no later turn asks about it, and it is not made.", async () => {
    const { host, server } = await openBank(CHAIN, { authorize: () => "ask" });
    const model = new ScriptedModel([calling("d")], "done", "done again");
    const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
    expect(requestIn(await graph.invoke(QUESTION, CONFIG))).toHaveLength(1);
    for (const read of [2, 3]) {
      const input = { messages: [{ role: "user", content: "never mind" }] };
      expect(requestIn(await graph.invoke(input, CONFIG))).toEqual([]);
      expect(model.read).toHaveLength(read);
    }
    expect(server.calls).toEqual([]);
  });
});

it("createAgent without chainMiddleware makes no call of two for one decision.", async () => {
  const { server, graph } = await open(
    kinds[0].build,
    ["c", "d"],
    [calling("c", {}, "c1"), calling("d", {}, "c2")],
  );
  await graph.invoke(QUESTION, CONFIG);
  const again = requestIn(await graph.invoke(APPROVE, CONFIG));
  expect(server.calls).toEqual([]);
  const decisions = [{ type: "approve" }, { type: "reject" }];
  const resume = Object.fromEntries(again.map(({ id }) => [id, { decisions }]));
  await graph.invoke(new Command({ resume }), CONFIG);
  expect(server.calls).toEqual(["c"]);
});

it("Without a checkpointer the model is told that a person must approve, and why nobody was asked.", async () => {
  for (const build of [buildChainAgent, buildChainNodeGraph, kinds[0].build, kinds[1].build]) {
    const { host, server } = await openBank(CHAIN, { authorize: () => "ask" });
    const model = new ScriptedModel([calling("a")], "done");
    const { messages } = await build({ host, model, tools: createTools(host) }).invoke(QUESTION);
    expect(server.calls).toEqual([]);
    expect(toolMessages(messages).at(-1)).toMatchObject({
      status: "error",
      artifact: { ended: "needs-approval" },
      text: expect.stringMatching(
        /needs a person's approval.*This graph has no checkpointer, so the call cannot wait/,
      ),
    });
  }
});

it("A policy that asks only when the call is made is not blamed on a checkpointer that is there.", async () => {
  const events: HostEvent[] = [];
  let asked = 0;
  const { host, server } = await openBank(CHAIN, {
    authorize: () => (asked++ === 0 ? "allow" : "ask"),
    onEvent: (event) => events.push(event),
  });
  const model = new ScriptedModel([calling("d")], "done");
  const parts = { host, model, tools: createTools(host), checkpointer: new MemorySaver() };
  const { messages } = await kinds[0].build(parts).invoke(QUESTION, CONFIG);
  expect(server.calls).toEqual([]);
  expect(toolMessages(messages)[0]?.text).not.toContain("checkpointer");
  expect(events.filter(({ type }) => type === "warning")).toEqual([]);
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
