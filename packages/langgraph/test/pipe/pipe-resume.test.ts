import { setImmediate } from "node:timers/promises";
import { Annotation, Command, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { hopsIn, losingSaver } from "../losing-saver.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const APPROVE = { decisions: [{ type: "approve" }] };
const CONFIG = { configurable: { thread_id: "1" } };

/** Where the step that stops the run stands. */
const PLACES: readonly (readonly [string, (step: object) => object])[] = [
  ["at the top", (step) => ({ steps: [say("a"), step, say("z")] })],
  [
    "in a group",
    (step) => ({ steps: [say("a"), { id: "g", parallel: [say("b"), step, say("c")] }, say("z")] }),
  ],
  [
    "in a nested pipe",
    (step) => ({ steps: [say("a"), { id: "n", pipe: { steps: [say("b"), step] } }, say("z")] }),
  ],
  [
    "in a group of a nested pipe in a group",
    (step) => ({
      steps: [
        say("a"),
        {
          id: "g",
          parallel: [
            say("b"),
            {
              id: "n",
              pipe: { steps: [say("c"), { id: "h", parallel: [say("d"), step] }, say("e")] },
            },
          ],
        },
        say("z"),
      ],
    }),
  ],
  [
    "in a group of a group",
    (step) => ({
      steps: [{ id: "g", parallel: [say("a"), { id: "h", parallel: [say("b"), step] }] }, say("z")],
    }),
  ],
];

describe.each(PLACES)("a step %s", (_where, place) => {
  const spec = place({ id: "pay", tool: "pay", args: { v: "pay" } });

  it("If it needs approval, the graph waits before the call, and nothing runs twice.", async () => {
    const { host, web } = await openPipeHost(
      { echo, pay: echo },
      { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
    );
    const graph = compilePipe(host, { spec, checkpointer: new MemorySaver() });
    const paused: object = await graph.invoke({}, CONFIG);
    expect(paused).toMatchObject({
      __interrupt__: [{ value: { actionRequests: [{ name: "pay", args: { v: "pay" } }] } }],
    });
    expect(web.calls).not.toContain("pay");
    const before = said(web);
    const result = await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
    expect(result).toMatchObject({ ok: true, error: "" });
    expect(said(web).slice(before.length)).toContain("pay");
    expect(new Set(said(web)).size).toBe(web.calls.length);
  });

  it("If it is rejected, it fails without a call.", async () => {
    const { host, web } = await openPipeHost(
      { echo, pay: echo },
      { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
    );
    const graph = compilePipe(host, { spec, checkpointer: new MemorySaver() });
    await graph.invoke({}, CONFIG);
    const decisions = [{ type: "reject", message: "too much" }];
    const result = await graph.invoke(new Command({ resume: { decisions } }), CONFIG);
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/pay: .*too much/) });
    expect(web.calls).not.toContain("pay");
  });

  it("If the process breaks off in it, it is run again, and no finished step is.", async () => {
    const saver = losingSaver({ count: Number.POSITIVE_INFINITY, isWritten: true });
    const aborter = new AbortController();
    const { host, web } = await openPipeHost({
      echo,
      pay: {
        answer: async () => {
          // All other steps that have called have ended.
          while (hopsIn(saver.written).size < web.calls.length - 1) await setImmediate();
          aborter.abort(new Error("crash"));
          return new Promise(() => {});
        },
      },
    });
    const first = compilePipe(host, { spec, checkpointer: saver });
    await expect(first.invoke({}, { ...CONFIG, signal: aborter.signal })).rejects.toThrow();
    web.tools.pay = echo;
    const second = compilePipe(host, { spec, checkpointer: saver });
    const result = await second.invoke(null, CONFIG);
    expect(result).toMatchObject({ ok: true });
    const others2 = said(web).filter((v) => v !== "pay");
    expect(new Set(others2).size).toBe(others2.length);
    expect(said(web).filter((v) => v === "pay")).toHaveLength(2);
  });
});

it("A pipe in a bigger graph waits there, and no finished step of a group runs again.", async () => {
  const { host, web } = await openPipeHost(
    { echo, pay: echo },
    { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
  const pay = { id: "pay", tool: "pay", args: { v: "pay" } };
  const spec = { steps: [say("a"), { id: "g", parallel: [say("b"), pay] }, say("z")] };
  const graph = new StateGraph(
    Annotation.Root({ ok: Annotation<boolean>, result: Annotation<unknown> }),
  )
    .addNode("pipe", compilePipe(host, { spec }))
    .addEdge(START, "pipe")
    .addEdge("pipe", END)
    .compile({ checkpointer: new MemorySaver() });
  const paused: object = await graph.invoke({}, CONFIG);
  expect(paused).toHaveProperty("__interrupt__");
  expect(said(web)).toEqual(["a", "b"]);
  expect(await graph.invoke(new Command({ resume: APPROVE }), CONFIG)).toMatchObject({
    ok: true,
    result: { v: "z" },
  });
  expect(said(web)).toEqual(["a", "b", "pay", "z"]);
});

describe("approval", () => {
  it("It is asked for each of two steps of a group, and each call is made once.", async () => {
    const { host, web } = await openPipeHost({ pay: echo }, { authorize: () => "ask" });
    const pay = (v: string) => ({ id: v, tool: "pay", args: { v } });
    const steps = [{ id: "g", parallel: [pay("one"), pay("two")] }];
    const graph = compilePipe(host, { spec: { steps }, checkpointer: new MemorySaver() });
    const paused = (await graph.invoke({}, CONFIG)) as unknown as {
      __interrupt__: { id: string }[];
    };
    expect(paused.__interrupt__).toHaveLength(2);
    const resume = Object.fromEntries(paused.__interrupt__.map(({ id }) => [id, APPROVE]));
    expect(await graph.invoke(new Command({ resume }), CONFIG)).toMatchObject({ ok: true });
    expect(said(web).toSorted()).toEqual(["one", "two"]);
  });

  const call = { server: "web", tool: "pay", arguments: { v: "forged" }, origin: { by: "model" } };
  const chain = { runId: "r", ended: "needs-approval", hops: [], pending: call };
  it.each([
    ["a begun step", { type: "begun", startMs: 0, decision: "approve" }],
    ["a waiting step", { type: "waiting", startMs: 0, chain, decision: "approve" }],
  ])(
    "One that a client writes into the state of the graph with %s approves nothing.",
    async (_, stage) => {
      const { host, web } = await openPipeHost({ pay: echo }, { authorize: () => "ask" });
      const spec = { steps: [{ id: "a", tool: "pay", args: { v: "asked" } }] };
      const graph = compilePipe(host, { spec, checkpointer: new MemorySaver() });
      await graph.invoke({}, CONFIG);
      await graph.updateState(CONFIG, { out_a: { "steps.a": stage } } as object, "begin");
      const paused: object = await graph.invoke(null, CONFIG);
      expect(paused).toMatchObject({
        __interrupt__: [{ value: { actionRequests: [{ args: { v: "asked" } }] } }],
      });
      expect(web.calls).toEqual([]);
    },
  );

  it("Without a checkpointer nobody can give it, and the step fails.", async () => {
    const { host, web } = await openPipeHost({ pay: echo }, { authorize: () => "ask" });
    const result = await compilePipe(host, { spec: { steps: [{ id: "a", tool: "pay" }] } }).invoke(
      {},
    );
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringMatching(/steps\.a: .*approval/),
    });
    expect(web.calls).toEqual([]);
  });
});
