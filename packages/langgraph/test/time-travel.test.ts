import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import type { Store } from "@toolrail/core";
import type { ApprovalRequest } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { buildChainAgent, buildChainNodeGraph, buildToolNodeGraph } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CONFIG = { configurable: { thread_id: "1" } };
const APPROVE = { decisions: [{ type: "approve" }] };

interface Snapshot {
  readonly config: object;
  readonly next: readonly string[];
  readonly tasks: readonly { readonly interrupts: readonly unknown[] }[];
  readonly values: { readonly messages: readonly unknown[] };
}

/** As much of a graph as the tests use. */
interface Graph {
  invoke(input: unknown, config: object): Promise<{ readonly __interrupt__?: readonly Asked[] }>;
  getStateHistory(config: object): AsyncIterable<Snapshot>;
  updateState(config: object, values: object): Promise<object>;
}

interface Asked {
  readonly id: string;
  readonly value: { readonly actionRequests: readonly { readonly args: object }[] };
}

const ways = [
  { name: "createTools in createAgent", hop: false, build: createAgent },
  { name: "createTools in a ToolNode", hop: false, build: buildToolNodeGraph },
  { name: "a hop of chainMiddleware", hop: true, build: buildChainAgent },
  { name: "a hop of chainNode", hop: true, build: buildChainNodeGraph },
];

async function open({ hop, build }: (typeof ways)[number], store?: Store) {
  const paid: unknown[] = [];
  const { host } = await openBank(
    {
      order: { answer: () => asking("pay", { amount: 1 }) },
      pay: {
        definition: { inputSchema: { type: "object" } },
        answer: ({ arguments: args }) => {
          paid.push(args);
          return { content: [{ type: "text", text: "paid" }] };
        },
      },
    },
    {
      authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
      ...(store && { store }),
    },
  );
  const turn = hop ? calling("order") : calling("pay", { amount: 1 });
  const model = new ScriptedModel([turn], "done", "done", "done");
  const parts = { host, model, tools: createTools(host), checkpointer: new MemorySaver() };
  return { paid, graph: build(parts as never) as unknown as Graph };
}

/** A store of the application that can claim. */
function createStore(): Store {
  const rows = new Map<string, unknown>();
  return {
    get: async (key) => rows.get(key),
    set: async (key, value) => void rows.set(key, value),
    delete: async (key) => rows.delete(key),
    claim: async (key, value) => !rows.has(key) && !!rows.set(key, value),
  };
}

/** The newest checkpoint of a thread from which a call is asked about, as before it was decided. */
async function findAsking(graph: Graph): Promise<Snapshot> {
  for await (const snapshot of graph.getStateHistory(CONFIG)) {
    if (snapshot.tasks.some(({ interrupts }) => interrupts.length > 0)) return snapshot;
  }
  throw new Error("No checkpoint waits for a person.");
}

describe.each(ways)("$name", (way) => {
  it.each([
    ["and makes it again", undefined, 2],
    ["and with a store makes it once", createStore(), 1],
  ])(
    "A run that is repeated from before the approval asks about the call again, %s.",
    async (_, store, times) => {
      const { paid, graph } = await open(way, store);
      await graph.invoke(QUESTION, CONFIG);
      const { config } = await findAsking(graph);
      await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
      expect(paid).toHaveLength(1);
      const again = await graph.invoke(null, config);
      expect(again.__interrupt__).toHaveLength(1);
      expect(paid).toHaveLength(1);
      const end = await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
      expect(end.__interrupt__).toBeUndefined();
      expect(paid).toHaveLength(times);
    },
  );

  it("An answer that is given twice to one checkpoint makes one call.", async () => {
    const { paid, graph } = await open(way);
    await graph.invoke(QUESTION, CONFIG);
    const { config } = await findAsking(graph);
    for (let times = 0; times < 3; times++) {
      await graph.invoke(new Command({ resume: APPROVE }), config);
    }
    expect(paid).toHaveLength(1);
  });
});

describe.each(ways.filter(({ hop }) => !hop))("a call of $name", (way) => {
  it("A fork with another call asks about that one, and makes it once it is approved.", async () => {
    const { paid, graph } = await open(way);
    await graph.invoke(QUESTION, CONFIG);
    const { config, values } = await findAsking(graph);
    await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
    const { id } = values.messages.at(-1) as AIMessage;
    const more = new AIMessage({
      ...(id && { id }),
      content: "",
      tool_calls: [calling("pay", { amount: 900 })],
    });
    const fork = await graph.updateState(config, { messages: [more] });
    const asked = await graph.invoke(null, fork);
    expect(paid).toEqual([{ amount: 1 }]);
    expect(asked.__interrupt__?.[0]?.value.actionRequests).toMatchObject([
      { args: { amount: 900 } },
    ]);
    await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
    await graph.invoke(new Command({ resume: APPROVE }), fork);
    expect(paid).toEqual([{ amount: 1 }, { amount: 900 }]);
  });
});

it.each([
  ["a call that a person approved", { authorize: () => "ask" as const }],
  ["a call of a host with a store", { store: createStore() }],
])("A node with a RetryPolicy that fails after %s makes it once.", async (_, options) => {
  const { host, server } = await openBank({ pay: {} }, options);
  let failures = 0;
  const unsteady = tool(
    async () => {
      while (server.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      if (failures++ < 2) throw new Error("try again");
      return "fine";
    },
    { name: "unsteady", schema: { type: "object", properties: {} } },
  );
  const model = new ScriptedModel([calling("pay"), calling("unsteady", {}, "c2")], "done");
  const tools = new ToolNode([...createTools(host), unsteady], { handleToolErrors: false });
  const retryPolicy = {
    maxAttempts: 5,
    initialInterval: 1,
    retryOn: (error: Error) => error.message === "try again",
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: await model.invoke(messages) }))
    .addNode("tools", tools, { retryPolicy })
    .addEdge(START, "agent")
    .addEdge("agent", "tools")
    .addEdge("tools", END)
    .compile({ checkpointer: new MemorySaver() }) as unknown as Graph;
  const first = await graph.invoke(QUESTION, CONFIG);
  if (first.__interrupt__) await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
  expect(failures).toBe(3);
  expect(server.calls).toEqual(["pay"]);
});

/** Two branches side by side, each of which waits for a person before its call. */
async function buildBranches() {
  const { host, server } = await openBank({ b: {}, c: {} }, { authorize: () => "ask" });
  const tools = createTools(host);
  const branch = (name: string) => {
    const model = new ScriptedModel([calling(name, {}, `call-${name}`)], "done");
    return buildToolNodeGraph({ model, tools });
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("left", branch("b"))
    .addNode("right", branch("c"))
    .addEdge(START, "left")
    .addEdge(START, "right")
    .addEdge("left", END)
    .addEdge("right", END)
    .compile({ checkpointer: new MemorySaver() }) as unknown as Graph;
  return { graph, server };
}

it("Parallel branches wait for their own answers, and each makes its call once.", async () => {
  const { graph, server } = await buildBranches();
  const asked = (await graph.invoke(QUESTION, CONFIG)).__interrupt__ ?? [];
  expect(asked).toHaveLength(2);
  const answer = (at: number) => new Command({ resume: { [asked[at]?.id ?? ""]: APPROVE } });
  const left = (await graph.invoke(answer(0), CONFIG)).__interrupt__;
  expect(left?.map(({ id }) => id)).toEqual([asked[1]?.id]);
  expect(server.calls).toHaveLength(1);
  const end = await graph.invoke(answer(1), CONFIG);
  expect(end.__interrupt__).toBeUndefined();
  expect(server.calls.toSorted()).toEqual(["b", "c"]);
});

it("All interrupts of branches side by side are answered at once, by their ids.", async () => {
  const { graph, server } = await buildBranches();
  const [input, config] = [QUESTION, { configurable: { thread_id: "all" } }];
  const decide = (name: string) => ({ type: name === "b" ? "approve" : "reject" });
  const { __interrupt__: waiting = [] } = await graph.invoke(input, config);
  const answers = waiting.map(({ id = "", value }) => {
    const { actionRequests } = value as ApprovalRequest;
    return [id, { decisions: actionRequests.map(({ name }) => decide(name)) }]; // { type: "approve" }
  });
  await graph.invoke(new Command({ resume: Object.fromEntries(answers) }), config);
  expect(server.calls).toEqual(["b"]);
});
