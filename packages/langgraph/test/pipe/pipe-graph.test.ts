import { Annotation, Command, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import {
  getInputTypeSchema,
  getOutputTypeSchema,
  getStateTypeSchema,
  getUpdateTypeSchema,
} from "@langchain/langgraph/zod/schema";
import type { JsonObject } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
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
  it("It calls only the tools that it is given.", async () => {
    const { host } = await openPipeHost({ echo });
    expect(() => compilePipe(host, { spec: { steps: [say("a")] }, tools: () => false })).toThrow(
      "tool web.echo is not offered here",
    );
  });

  it("It has a node for each step, and shows nested pipes with xray.", async () => {
    const { host } = await openPipeHost({ echo });
    const graph = await compilePipe(host, { spec: NESTED }).getGraphAsync({ xray: true });
    expect(Object.keys(graph.nodes)).toEqual([
      "__start__",
      "begin",
      "a",
      "g",
      "g.x",
      "g.n:begin",
      "g.n:y",
      "g.n:z",
      "g/end",
      "end",
      "finish",
      "__end__",
    ]);
    const picture = graph.drawMermaid();
    expect(picture).toContain("subgraph g.n");
    expect(picture).toMatch(/a -\.(?:.*\.)?-> finish/);
  });

  it("A server of LangGraph reads the schemas of its input, output and state.", async () => {
    const { host } = await openPipeHost({ echo });
    const graph = compilePipe(host, { spec: NESTED });
    const vars = { anyOf: [{ type: "object" }, { type: "null" }] };
    const output = {
      ok: { type: "boolean" },
      error: { type: "string" },
      steps: { type: "object" },
    };
    expect(getInputTypeSchema(graph)).toMatchObject({ type: "object", properties: { vars } });
    expect(getOutputTypeSchema(graph)).toMatchObject({ type: "object", properties: output });
    expect(getOutputTypeSchema(graph)).toHaveProperty("properties.result");
    for (const schema of [getStateTypeSchema(graph), getUpdateTypeSchema(graph)]) {
      expect(schema).toMatchObject({ properties: { vars, ...output, out_a: {}, "out_g.n": {} } });
    }
  });

  it("It takes vars and gives the output of the contract.", async () => {
    const { host } = await openPipeHost({ echo });
    const graph = compilePipe(host, { spec: NESTED });
    expect(await graph.invoke({ vars: { q: "milk" } })).toMatchObject({
      ok: true,
      error: "",
      result: '{"v":"milk!"}',
      steps: { a: { structured: { v: "milk" } } },
    });
    expect(await graph.invoke({})).toMatchObject({ result: '{"v":"tea!"}' });
  });

  it("An invalid spec is refused before there is a graph, and an unknown var before any call.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const invalid = expect.objectContaining({ code: "invalid-pipe" });
    expect(() => compilePipe(host, { spec: { steps: [] } })).toThrow(invalid);
    const running = compilePipe(host, { spec: NESTED }).invoke({ vars: { p: "milk" } });
    await expect(running).rejects.toMatchObject({
      code: "invalid-pipe",
      message: expect.stringMatching(/vars\.p: .*it has q/),
    });
    const noVars = { vars: 5 } as unknown as { vars: JsonObject };
    await expect(compilePipe(host, { spec: NESTED }).invoke(noVars)).rejects.toMatchObject({
      code: "invalid-pipe",
      data: { problems: [{ path: "vars" }] },
    });
    const loose = { q: "milk" } as { vars?: JsonObject };
    const graph = compilePipe(host, { spec: NESTED });
    const atTop = { configurable: { checkpoint_ns: "" } };
    for (const refused of [graph.invoke(loose), graph.stream(loose), graph.invoke(loose, atTop)]) {
      await expect(refused).rejects.toMatchObject({
        code: "invalid-pipe",
        message: expect.stringMatching(
          /its input, which must be \{ vars \}, it has the unknown key "q"/,
        ),
      });
    }
    expect(web.calls).toEqual([]);
  });

  it("It streams each step when it has begun and when it has ended, nested ones too.", async () => {
    const { host } = await openPipeHost({ echo });
    const stream = await compilePipe(host, { spec: NESTED }).stream({}, { streamMode: "custom" });
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

  it("It runs several times at once, each run with its own places for calls.", async () => {
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
    const graph = compilePipe(host, {
      spec: { steps: [{ id: "g", parallel }] },
      limits: { maxParallel: 2 },
    });
    await Promise.all([graph.invoke({}), graph.invoke({}), graph.invoke({})]);
    expect(most).toBe(6);
    expect(new Set(events.flatMap((event) => ("runId" in event ? event.runId : []))).size).toBe(3);
  });

  it("It runs 50 steps, whatever the recursion limit around it.", async () => {
    const { host } = await openPipeHost({ echo });
    const steps = Array.from({ length: 49 }, (_, at) => say(`s${at}`));
    const nested = { steps: [{ id: "n", pipe: { steps } }] };
    const pipe = compilePipe(host, { spec: nested });
    expect(await pipe.invoke({})).toMatchObject({ ok: true });
    expect(
      await bigger(compilePipe(host, { spec: { steps } })).invoke({}, { recursionLimit: 5 }),
    ).toMatchObject({
      result: { v: "s48" },
    });
  });

  it("It is a node of a bigger graph, which gives it vars and reads its result, also after a pause.", async () => {
    const { host } = await openPipeHost(
      { echo, pay: echo },
      { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
    );
    const pay = { id: "a", tool: "pay", args: { v: "${vars.q}" } };
    const pipe = compilePipe(host, { spec: { vars: { q: "" }, steps: [pay] } });
    const graph = bigger(pipe, new MemorySaver());
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke({ vars: { q: "from outside" } }, config);
    const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
    expect(await graph.invoke(approve as never, config)).toMatchObject({
      result: { v: "from outside" },
      ok: true,
      told: '{"v":"from outside"}',
    });
    expect(Object.keys((await graph.getGraphAsync({ xray: true })).nodes)).toContain("pipe:a");
  });

  it("A bigger graph reads why its pipe failed, and is refused if its state has no vars for the pipe.", async () => {
    const { host } = await openPipeHost({
      echo,
      fail: { answer: () => ({ content: [], isError: true }) },
    });
    const fails = compilePipe(host, { spec: { steps: [{ id: "a", tool: "fail" }] } });
    const Ends = Annotation.Root({
      ok: Annotation<boolean>,
      error: Annotation<string>,
      result: Annotation<unknown>,
    });
    const around = new StateGraph(Ends).addNode("pipe", fails as never).addEdge(START, "pipe");
    const ended = await around.compile().invoke({});
    expect(ended).toMatchObject({ ok: false, error: expect.stringMatching(/./), result: null });
    const pipe = compilePipe(host, { spec: { vars: { q: "" }, steps: [say("a", "${vars.q}")] } });
    const State = Annotation.Root({ order: Annotation<string>, result: Annotation<unknown> });
    const graph = new StateGraph(State)
      .addNode("pipe", pipe as never)
      .addEdge(START, "pipe")
      .compile();
    const refused = graph.invoke({ order: "7" });
    await expect(refused).rejects.toMatchObject({ code: "invalid-pipe" });
    await expect(refused).rejects.toThrow(
      "the state of the graph around it, which must be { vars }, vars is missing",
    );
    expect(await bigger(pipe).invoke({ vars: {} })).toMatchObject({ ok: true });
  });

  it("A group of nested pipes runs each at its own pace.", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      answer: async ({ arguments: { v } }: { arguments: JsonObject }) => {
        if (v === "1 first") await gate;
        if (v === "2 second") release();
        return { content: [] };
      },
    };
    const { host } = await openPipeHost({ slow });
    const nested = (item: number) => {
      const call = (id: string) => ({ id, tool: "slow", args: { v: `${item} ${id}` } });
      return { id: `n${item}`, pipe: { steps: [call("first"), call("second")] } };
    };
    const steps = [{ id: "g", parallel: [1, 2].map(nested) }];
    expect(await compilePipe(host, { spec: { steps } }).invoke({})).toMatchObject({
      ok: true,
    });
  });

  it("No part of a group runs before its group has begun, and no pipe ends before its steps, whoever starts its node.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const inner = { id: "h", parallel: [say("b")] };
    const spec = { steps: [{ id: "g", parallel: [say("a"), inner] }] };
    const checkpointer = new MemorySaver();
    const graph = compilePipe(host, { spec, checkpointer });
    for (const goto of ["g.a", "g.h.b", "finish"]) {
      const config = { configurable: { thread_id: goto } };
      await graph.invoke({}, { ...config, interruptBefore: ["g"] });
      const started = graph.invoke(new Command({ goto }), config);
      await expect(started).rejects.toMatchObject({ code: "denied" });
    }
    expect(web.calls).toEqual([]);
  });

  it("No step that has ended runs again, whoever starts its node.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const spec = { steps: [{ id: "g", parallel: [say("a")] }, say("z")] };
    const graph = compilePipe(host, { spec, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    await graph.invoke({}, { ...config, interruptBefore: ["g/end"] });
    await expect(graph.invoke(new Command({ goto: "g.a" }), config)).rejects.toMatchObject({
      code: "denied",
    });
    expect(web.calls).toEqual(["echo"]);
  });

  it("It rejects when it is aborted, and tells the server.", async () => {
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
    const running = compilePipe(host, { spec: { steps } }).invoke({}, { signal: aborter.signal });
    await expect(running).rejects.toThrow();
    await told;
    expect(web.calls).toEqual(["echo", "hanging"]);
  });
});

function bigger(pipe: ReturnType<typeof compilePipe>, checkpointer?: MemorySaver) {
  const State = Annotation.Root({
    vars: Annotation<JsonObject | undefined>,
    ok: Annotation<boolean>,
    result: Annotation<unknown>,
    told: Annotation<string>,
  });
  return new StateGraph(State)
    .addNode("prepare", ({ vars }) => ({ vars: vars ?? {} }))
    .addNode("pipe", pipe)
    .addEdge(START, "prepare")
    .addEdge("prepare", "pipe")
    .addNode("tell", ({ result }) => ({ told: JSON.stringify(result) }))
    .addEdge("pipe", "tell")
    .addEdge("tell", END)
    .compile({ ...(checkpointer && { checkpointer }) });
}
