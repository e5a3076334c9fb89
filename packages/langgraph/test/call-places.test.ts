import { Annotation, Command, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { expect, it } from "vitest";
import { MemoryStore } from "../../core/src/call/store.ts";
import { chainMiddleware, createTools } from "../src/index.ts";
import { compilePipe } from "../src/pipe/index.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, type ModelTurn, ScriptedModel } from "./scripted-model.ts";

const CONFIG = { configurable: { thread_id: "1" }, durability: "sync" } as const;
const PAY = calling("pay");

/** Workers with a host each, over one store that can claim and one checkpointer. */
function openWorkers() {
  const store = new MemoryStore({ maxBytes: 1e6, now: Date.now });
  const checkpointer = new MemorySaver();
  const paid: unknown[] = [];
  const open = async () => {
    const answer = (call: { readonly arguments: unknown }) => {
      paid.push(call.arguments);
      return { content: [{ type: "text", text: `paid ${paid.length}` }] };
    };
    const { host } = await openBank({ pay: { answer } }, { store, secret: "s".repeat(32) });
    return host;
  };
  return { paid, checkpointer, open };
}

it.each([true, false])(
  "Two workers that resume an agent after LangChain's own approval make the call once (native hops: %s).",
  async (isNative) => {
    const { paid, checkpointer, open } = openWorkers();
    const work = async (...script: ModelTurn[]) => {
      const host = await open();
      // The declared parameter of this version is `never` under TypeScript 7.
      const ask = humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never) as never;
      const middleware = [...(isNative ? [chainMiddleware(host)] : []), ask];
      const model = new ScriptedModel(...script);
      return createAgent({ model, tools: createTools(host), middleware, checkpointer });
    };
    const first = await work([PAY]);
    await first.invoke(QUESTION, CONFIG);
    const both = [await work("done"), await work("done")];
    const decisions = [{ type: "approve" }];
    const resume = new Command({ resume: { decisions } });
    const ends = await Promise.all(both.map((agent) => agent.invoke(resume, CONFIG)));
    expect(paid).toHaveLength(1);
    const read = ends.flatMap(({ messages }) => toolMessages(messages).map(({ text }) => text));
    expect(read).toHaveLength(2);
    expect(read).toContain("paid 1");
    expect(read).toContainEqual(expect.stringMatching(/^This call was made before.*paid 1$/s));
  },
);

it("An agent that repeats the id of a call makes it again in its next turn.", async () => {
  const { paid, checkpointer, open } = openWorkers();
  const tools = createTools(await open());
  const model = new ScriptedModel([PAY], [PAY], "done");
  await createAgent({ model, tools, checkpointer }).invoke(QUESTION, CONFIG);
  expect(paid).toHaveLength(2);
});

it("A pipe that is a node is one run for workers that come to it from one checkpoint, and one for each visit.", async () => {
  const { paid, checkpointer, open } = openWorkers();
  const steps = [1, 2].map((v) => ({ id: `s${v}`, tool: "pay", args: { v } }));
  const work = async () => {
    const pipe = compilePipe(await open(), { spec: { steps } });
    return new StateGraph(Annotation.Root({ ok: Annotation<boolean>, visits: Annotation<number> }))
      .addNode("pipe", pipe as never)
      .addNode("count", ({ visits = 0 }) => ({ visits: visits + 1 }))
      .addEdge(START, "pipe")
      .addEdge("pipe", "count")
      .addConditionalEdges("count", ({ visits }) => (visits < 2 ? "pipe" : END), ["pipe", END])
      .compile({ checkpointer, interruptBefore: ["pipe"] });
  };
  const both = [await work(), await work()];
  await both[0]?.invoke({ visits: 0 }, CONFIG);
  const ends = await Promise.all(both.map((graph) => graph.invoke(null, CONFIG)));
  expect(ends.map(({ ok }) => ok)).toEqual([true, true]);
  expect(paid).toEqual([{ v: 1 }, { v: 2 }]);
  await both[0]?.invoke(null, CONFIG);
  expect(paid).toEqual([{ v: 1 }, { v: 2 }, { v: 1 }, { v: 2 }]);
});
