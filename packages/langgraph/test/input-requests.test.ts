import type { BaseMessage } from "@langchain/core/messages";
import { Command, type Interrupt, MemorySaver } from "@langchain/langgraph";
import { createHost, type HostOptions } from "@toolrail/core";
import { createMemoryStore } from "@toolrail/core/plugin";
import { describe, expect, it } from "vitest";
import { askForPin, askingPort } from "../../core/test/call/asking-port.ts";
import { createTools } from "../src/index.ts";
import { compilePipe } from "../src/pipe/index.ts";
import { buildChainAgent, buildChainNodeGraph, buildToolNodeGraph, kinds } from "./builds.ts";
import { QUESTION, toolMessages } from "./graphs.ts";
import { calling, type ModelTurn, ScriptedModel } from "./scripted-model.ts";

type Parts = Parameters<typeof buildToolNodeGraph>[0] & Parameters<typeof buildChainAgent>[0];

const INPUT = { pin: { action: "accept", content: { pin: "1234" } } };
const resume = (input: unknown) => new Command({ resume: { input } });
const TRANSFER = calling("transfer", { amount: 5 });
const CONFIG = { configurable: { thread_id: "1" } };

const ways = [
  { way: "createAgent", build: (parts: Parts) => kinds[0].build(parts) },
  { way: "ToolNode", build: (parts: Parts) => buildToolNodeGraph(parts) },
  { way: "chainMiddleware", build: (parts: Parts) => buildChainAgent(parts) },
  { way: "chainNode", build: (parts: Parts) => buildChainNodeGraph(parts) },
];

interface Graph {
  invoke(input: unknown, config: typeof CONFIG): Promise<{ readonly messages: BaseMessage[] }>;
}

function open(options: Partial<HostOptions> = {}, answer?: Parameters<typeof askingPort>[0]) {
  const { port, calls } = askingPort(answer);
  const store = createMemoryStore({ maxBytes: 1e6, maxConversationBytes: 1e6, now: Date.now });
  const { claim: _, ...plain } = store;
  const secret = "s".repeat(32);
  const checkpointer = new MemorySaver();
  /** The graph as another process builds it: with the store and the checkpoints of the first. */
  const build = async (way: (typeof ways)[number], ...turns: ModelTurn[]): Promise<Graph> => {
    const host = await createHost({ servers: { bank: port }, store: plain, secret, ...options });
    const model = new ScriptedModel(...turns, "final");
    return way.build({ host, model, tools: createTools(host), checkpointer }) as never;
  };
  return { build, calls };
}

function interruptsOf(state: object): Interrupt<Record<string, unknown>>[] {
  return (state as { __interrupt__?: Interrupt<Record<string, unknown>>[] }).__interrupt__ ?? [];
}

describe.each(ways)("an input request to the user in a graph with $way", (way) => {
  it("interrupts with the page to which the server sends the user, and no model reads the address", async () => {
    const page = { mode: "url", message: "Obey.", url: "https://bank.example/confirm" };
    const { build, calls } = open({}, ({ inputResponses }) => {
      if (inputResponses || calls.length > 1) return { content: [{ type: "text", text: "sent" }] };
      const inputRequests = { page: { method: "elicitation/create", params: page } };
      return { resultType: "input_required", inputRequests };
    });
    const paused = await (await build(way, [TRANSFER])).invoke(QUESTION, CONFIG);
    const requests = { page: { ...page, origin: "https://bank.example" } };
    expect(interruptsOf(paused)).toMatchObject([{ value: { type: "input", requests } }]);
    const done = await (await build(way)).invoke(resume({ page: { action: "accept" } }), CONFIG);
    expect(calls).toHaveLength(2);
    expect(toolMessages(done.messages)).toMatchObject([{ content: "sent" }]);
    expect(JSON.stringify(done.messages)).not.toMatch(/Obey|bank\.example/);
  });

  it("interrupts the run, and the answer continues in another process: two calls, one result", async () => {
    const { build, calls } = open();
    const graph = await build(way, [TRANSFER]);
    const paused = await graph.invoke(QUESTION, CONFIG);
    expect(interruptsOf(paused)).toMatchObject([
      {
        value: {
          type: "input",
          server: "bank",
          tool: "transfer",
          requests: { pin: { message: "Your PIN?" } },
        },
      },
    ]);
    expect(JSON.stringify(paused)).not.toContain("state-1");
    const other = await build(way);
    const done = await other.invoke(resume(INPUT), CONFIG);
    expect(calls).toMatchObject([{}, { arguments: { amount: 5 }, inputResponses: INPUT }]);
    expect(toolMessages(done.messages)).toMatchObject([
      { content: expect.stringMatching(/^sent .*1234/) },
    ]);
  });

  it("asks again if the answer does not fit, and ends if it is none", async () => {
    const { build, calls } = open();
    const graph = await build(way, [TRANSFER]);
    await graph.invoke(QUESTION, CONFIG);
    const wrong = { pin: { action: "accept", content: { pin: 5 } } };
    const again = await graph.invoke(resume(wrong), CONFIG);
    expect(interruptsOf(again)).toMatchObject([{ value: { problem: expect.any(String) } }]);
    expect(calls).toHaveLength(1);
    const done = await graph.invoke(new Command({ resume: "1234" }), CONFIG);
    expect(toolMessages(done.messages)).toMatchObject([{ status: "error" }]);
    expect(calls).toHaveLength(1);
  });

  it("continues with two calls of a turn, each by the id of its interrupt", async () => {
    const { build, calls } = open();
    const graph = await build(way, [TRANSFER, calling("transfer", { amount: 6 }, "c2")]);
    let state = await graph.invoke(QUESTION, CONFIG);
    for (let round = 0; interruptsOf(state).length > 0 && round < 2; round++) {
      const answers = interruptsOf(state).map(({ id }) => [id, { input: INPUT }]);
      state = await graph.invoke(new Command({ resume: Object.fromEntries(answers) }), CONFIG);
    }
    expect(calls.map((call) => call.arguments.amount).sort()).toEqual([5, 5, 6, 6]);
  });

  it("follows an approval, which is not asked for again", async () => {
    const { build, calls } = open({ authorize: () => "ask" });
    const graph = await build(way, [TRANSFER]);
    await graph.invoke(QUESTION, CONFIG);
    const yes = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const paused = await graph.invoke(yes, CONFIG);
    expect(interruptsOf(paused)).toMatchObject([{ value: { type: "input" } }]);
    await graph.invoke(resume(INPUT), CONFIG);
    expect(calls).toMatchObject([{}, { inputResponses: INPUT }]);
  });

  it("continues with the hops after it", async () => {
    const { build, calls } = open({}, ({ arguments: { amount }, inputResponses }) => {
      if (amount === 6) return { content: [{ type: "text", text: "last" }] };
      if (!inputResponses) return askForPin();
      return { content: [], _meta: { nextTool: { tool: "transfer", arguments: { amount: 6 } } } };
    });
    const graph = await build(way, [TRANSFER]);
    await graph.invoke(QUESTION, CONFIG);
    const done = await graph.invoke(resume(INPUT), CONFIG);
    expect(calls.map((call) => call.arguments.amount)).toEqual([5, 5, 6]);
    expect(JSON.stringify(done)).toContain("last");
  });
});

describe("a step of a compiled pipe whose server asks the user", () => {
  it("interrupts the graph, and the step continues with the answer", async () => {
    const { port, calls } = askingPort();
    const host = await createHost({ servers: { bank: port } });
    const spec = { steps: [{ id: "pay", tool: "transfer", args: { amount: 5 } }] };
    const graph = compilePipe(host, { spec, checkpointer: new MemorySaver() });
    const paused: object = await graph.invoke({}, CONFIG);
    expect(interruptsOf(paused)).toMatchObject([{ value: { type: "input", tool: "transfer" } }]);
    const done = await graph.invoke(new Command({ resume: { input: INPUT } }), CONFIG);
    expect(JSON.stringify(done)).toContain("1234");
    expect(calls).toHaveLength(2);
  });
});
