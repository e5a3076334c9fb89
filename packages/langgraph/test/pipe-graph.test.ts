import {
  Annotation,
  END,
  GraphRecursionError,
  MemorySaver,
  START,
  StateGraph,
} from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { buildPipeGraph, compilePipe } from "../src/index.ts";
import { echo, openPipeHost, say } from "./pipe-scenario.ts";

const NESTED = {
  vars: { q: "tea" },
  steps: [
    say("a", `\${vars.q}`),
    {
      id: "g",
      parallel: [
        say("x"),
        {
          id: "n",
          pipe: { steps: [say("y", `\${vars.q}!`), say("z")], return: `\${steps.y.text}` },
        },
      ],
    },
    say("end"),
  ],
  return: { $ref: "steps.g.children.n.result" },
};

describe("the graph of a pipe", () => {
  it("has a node for each step, and shows nested pipes with xray", async () => {
    const { host } = await openPipeHost({ echo });
    const graph = await compilePipe(NESTED, host).getGraphAsync({ xray: true });
    expect(Object.keys(graph.nodes)).toEqual([
      "__start__",
      "begin",
      "step_a",
      "step_g",
      "step_g.x",
      "step_g.n:begin",
      "step_g.n:step_y",
      "step_g.n:step_z",
      "step_g.n:finish",
      "step_end",
      "finish",
      "__end__",
    ]);
    expect(graph.drawMermaid()).toContain("subgraph step_g.n");
  });

  it("takes vars and gives the output of the contract", async () => {
    const { host } = await openPipeHost({ echo });
    const graph = compilePipe(NESTED, host);
    expect(await graph.invoke({ vars: { q: "milk" } })).toMatchObject({
      ok: true,
      error: "",
      result: '{"v":"milk!"}',
      steps: { a: { structured: { v: "milk" } } },
    });
    expect(await graph.invoke({})).toMatchObject({ result: '{"v":"tea!"}' });
  });

  it("refuses a wrong spec before there is a graph", async () => {
    const { host } = await openPipeHost({ echo });
    expect(() => compilePipe({ steps: [] }, host)).toThrow(
      expect.objectContaining({ code: "invalid-pipe" }),
    );
  });

  it("streams each step when it has begun and when it has ended, nested ones too", async () => {
    const { host } = await openPipeHost({ echo });
    const stream = await compilePipe(NESTED, host).stream({}, { streamMode: "custom" });
    const seen: string[] = [];
    for await (const event of stream) {
      const { type, path, stage } = event as { type: string; path: string; stage: string };
      if (type === "toolrail-step" && stage === "ended") seen.push(path);
    }
    expect(seen.toSorted()).toEqual(
      [
        "steps.a",
        "steps.end",
        "steps.g",
        "steps.g.children.n",
        "steps.g.children.n.steps.y",
        "steps.g.children.n.steps.z",
        "steps.g.children.x",
      ].toSorted(),
    );
  });

  it("runs several times at once, each run with its own places for calls", async () => {
    let inFlight = 0;
    let most = 0;
    const busy = {
      answer: async () => {
        most = Math.max(most, ++inFlight);
        await new Promise(setImmediate);
        inFlight--;
        return { content: [] };
      },
    };
    const { host, events } = await openPipeHost({ busy });
    const parallel = Array.from({ length: 6 }, (_, at) => ({ id: `p${at}`, tool: "busy" }));
    const graph = compilePipe({ steps: [{ id: "g", parallel }] }, host, {
      limits: { maxParallel: 2 },
    });
    await Promise.all([graph.invoke({}), graph.invoke({}), graph.invoke({})]);
    expect(most).toBe(6);
    expect(new Set(events.flatMap((event) => ("runId" in event ? event.runId : []))).size).toBe(3);
  });

  it("runs 50 steps whatever the recursion limit around it", async () => {
    const { host } = await openPipeHost({ echo });
    const steps = Array.from({ length: 49 }, (_, at) => say(`s${at}`));
    const nested = { steps: [{ id: "n", pipe: { steps } }] };
    const pipe = compilePipe(nested, host);
    expect(await pipe.invoke({})).toMatchObject({ ok: true });
    expect(
      await bigger(compilePipe({ steps }, host)).invoke({}, { recursionLimit: 5 }),
    ).toMatchObject({
      result: { v: "s48" },
    });
    const bare = buildPipeGraph({ steps }, host).compile();
    await expect(bare.invoke({})).rejects.toBeInstanceOf(GraphRecursionError);
  });

  it("is a node of a bigger graph, which gives it vars and reads its result", async () => {
    const { host } = await openPipeHost({ echo });
    const graph = bigger(compilePipe({ vars: { q: "" }, steps: [say("a", `\${vars.q}`)] }, host));
    expect(await graph.invoke({ vars: { q: "from outside" } })).toMatchObject({
      result: { v: "from outside" },
      ok: true,
    });
    expect(Object.keys((await graph.getGraphAsync({ xray: true })).nodes)).toContain("pipe:step_a");
  });

  it("keeps no second copy of the steps in checkpoints", async () => {
    const { host } = await openPipeHost({ echo });
    const saver = new MemorySaver();
    const graph = compilePipe({ steps: [say("a", "needle")] }, host, { checkpointer: saver });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke({}, config);
    const last = await saver.getTuple(config);
    expect(Object.keys(last?.checkpoint.channel_values ?? {})).toContain("out_a");
    expect(last?.checkpoint.channel_values.steps).toBeUndefined();
  });

  it("rejects when it is aborted, and tells the server", async () => {
    const aborter = new AbortController();
    let cancelled = () => {};
    const told = new Promise<void>((resolve) => {
      cancelled = resolve;
    });
    const { host, web } = await openPipeHost({
      echo,
      hanging: {
        answer: ({ signal }) => {
          signal.addEventListener("abort", cancelled);
          aborter.abort(new Error("enough"));
          return new Promise(() => {});
        },
      },
    });
    const steps = [say("a"), { id: "b", tool: "hanging" }, say("c")];
    const running = compilePipe({ steps }, host).invoke({}, { signal: aborter.signal });
    await expect(running).rejects.toThrow();
    await told;
    expect(web.calls).toEqual(["echo", "hanging"]);
  });
});

function bigger(pipe: ReturnType<typeof compilePipe>) {
  const State = Annotation.Root({
    vars: Annotation<JsonObject | undefined>,
    ok: Annotation<boolean>,
    result: Annotation<unknown>,
  });
  return new StateGraph(State)
    .addNode("prepare", ({ vars }) => ({ vars: vars ?? {} }))
    .addNode("pipe", pipe)
    .addEdge(START, "prepare")
    .addEdge("prepare", "pipe")
    .addEdge("pipe", END)
    .compile();
}
