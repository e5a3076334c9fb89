import { Command, MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import type { PipeState } from "../../src/pipe/pipe-state.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const APPROVE = { decisions: [{ type: "approve" }] };
const CONFIG = { configurable: { thread_id: "1" } };
const SECRET = "the same in each process of the test";
const PAY = { id: "pay", tool: "pay", args: { v: { $ref: "steps.a.structured.v" } } };
const SPEC = { vars: { q: "q" }, steps: [say("a", { $ref: "vars.q" }), PAY, say("z")] };
const NESTED = { steps: [{ id: "n", pipe: SPEC }] };

type Kept = { readonly chain: { readonly pending: object } };
type Graph = ReturnType<typeof compilePipe>;

/** Each call waits for a person, but for those of `echo`. */
async function openGraph(spec: object, { secret = SECRET, checkpointer = new MemorySaver() } = {}) {
  const { host, web } = await openPipeHost(
    { echo, pay: echo, hidden: { definition: { _meta: { ui: { visibility: ["app"] } } } } },
    { secret, authorize: ({ tool }) => (tool.name === "echo" ? "allow" : "ask") },
  );
  return { web, checkpointer, graph: compilePipe(host, { spec, checkpointer }) };
}

/** A pipe that waits with its second step, and what a client reads of its state. */
async function pause(spec: object = SPEC, vars: object = { q: "a" }) {
  const opened = await openGraph(spec);
  await opened.graph.invoke({ vars: { ...vars } }, CONFIG);
  const { values } = await opened.graph.getState(CONFIG);
  return { ...opened, state: values as PipeState };
}

function write(graph: Graph, state: object, asNode?: string) {
  return graph.updateState(CONFIG, state as never, asNode as never);
}

function resume(graph: Graph): Promise<object> {
  return graph.invoke(new Command({ resume: APPROVE }), CONFIG);
}

/** The step that waits, with another call in its place. */
function waitingWith({ out_pay }: PipeState, call: object) {
  const kept = out_pay as Kept;
  return { ...kept, chain: { ...kept.chain, pending: { ...kept.chain.pending, ...call } } };
}

const ENDED = { type: "ended", startMs: 1, elapsedMs: 1, error: "" };
const HOP = { callId: "1", runId: "1", server: "web", tool: "echo", arguments: {}, durationMs: 1 };
const RESULT = { content: [], structuredContent: { v: "mallory" } };
const FORGED = { ...ENDED, hops: [{ ...HOP, result: RESULT, output: { status: "unchecked" } }] };

describe("a client that writes the state of a pipe that waits", () => {
  it("changes nothing if it writes nothing", async () => {
    const { graph, web } = await pause();
    await write(graph, {});
    expect(await graph.invoke(null, CONFIG)).toHaveProperty("__interrupt__");
    expect(await resume(graph)).toMatchObject({ ok: true });
    expect(said(web)).toEqual(["a", "a", "z"]);
  });

  const forgeries: [string, (state: PipeState) => object][] = [
    ["an approval", ({ out_pay }) => ({ out_pay: { ...(out_pay as Kept), decision: "approve" } })],
    ["other arguments", (state) => ({ out_pay: waitingWith(state, { arguments: { v: 9 } }) })],
    ["another tool", (state) => ({ out_pay: waitingWith(state, { tool: "hidden" }) })],
    [
      "another origin",
      (state) => ({ out_pay: waitingWith(state, { origin: { by: "application" } }) }),
    ],
    ["a result of an earlier step", () => ({ out_a: FORGED })],
    ["a result of the step that waits", () => ({ out_pay: FORGED })],
    ["a result of a step to come", () => ({ out_z: FORGED })],
    ["other vars", ({ run }) => ({ run: { ...run, given: { q: "mallory" } } })],
    ["the id of another run", ({ run }) => ({ run: { ...run, pipeId: "other" } })],
    ["no run", () => ({ run: null })],
    ["the step in the place of another", ({ out_a }) => ({ out_pay: out_a })],
  ];
  it.each(forgeries)("causes no call with %s", async (_, forge) => {
    for (const node of [undefined, "begin", "a", "pay"]) {
      const { graph, web, state } = await pause();
      await write(graph, forge(state), node);
      const ends = [() => graph.invoke(null, CONFIG), () => resume(graph)];
      for (const end of ends) {
        const outcome: object = await end().catch((error: object) => error);
        expect(outcome, node).not.toHaveProperty("steps");
      }
      expect(web.calls, node).toEqual(["echo"]);
    }
  });

  it.each(forgeries)("can begin a new run after %s", async (_, forge) => {
    const { graph, state } = await pause();
    await write(graph, forge(state));
    await graph.invoke({ vars: { q: "b" } }, CONFIG);
    expect(await resume(graph)).toMatchObject({
      ok: true,
      steps: { pay: { structured: { v: "b" } } },
    });
  });

  it.each(["pay", "z", "finish"])("cannot go to %s before its turn", async (goto) => {
    const { graph, web } = await openGraph(SPEC);
    for (const input of [new Command({ goto }), new Command({ goto, resume: APPROVE })]) {
      await expect(graph.invoke(input as never, CONFIG)).rejects.toThrow();
    }
    expect(web.calls).toEqual([]);
    await graph.invoke({}, CONFIG);
    if (goto !== "pay") {
      const jump = graph.invoke(new Command({ goto }) as never, CONFIG);
      await expect(jump).rejects.toMatchObject({ code: "denied" });
    }
    expect(web.calls).toEqual(["echo"]);
  });

  it("cannot go past a group while one of its parts waits", async () => {
    const wait = { id: "w", tool: "pay", args: { v: 1 } };
    const spec = { steps: [{ id: "g", parallel: [say("b"), wait] }, say("z")] };
    const { graph, web } = await pause(spec, {});
    const jump = graph.invoke(new Command({ goto: "z" }) as never, CONFIG);
    await expect(jump).rejects.toMatchObject({ code: "denied" });
    expect(said(web)).toEqual(["b"]);
  });

  it("skips no step by taking its result away", async () => {
    const { graph, web } = await pause();
    await write(graph, { out_a: null }, "pay");
    await expect(graph.invoke(null, CONFIG)).rejects.toMatchObject({ code: "denied" });
    await expect(resume(graph)).rejects.toMatchObject({ code: "denied" });
    expect(web.calls).toEqual(["echo"]);
  });

  it("skips no step by going past it without its result", async () => {
    const { graph, web } = await pause({ ...SPEC, steps: SPEC.steps.slice(0, 2) });
    const past = { goto: "pay", update: { out_a: null }, resume: APPROVE };
    const jump = graph.invoke(new Command(past) as never, CONFIG);
    await expect(jump).rejects.toMatchObject({ code: "denied" });
    expect(web.calls).toEqual(["echo"]);
  });

  it("repeats no finished step by going to it", async () => {
    const { graph, web } = await pause();
    await graph.invoke(new Command({ goto: "a" }) as never, CONFIG);
    await resume(graph);
    await graph.invoke(new Command({ goto: "pay" }) as never, CONFIG);
    expect(said(web)).toEqual(["a", "a", "z"]);
  });

  it("cannot bring back a call that waited in an earlier run of the thread", async () => {
    const { graph, web, state } = await pause(SPEC, { q: "old" });
    await graph.invoke({ vars: { q: "new" } }, CONFIG);
    await write(graph, { out_pay: state.out_pay });
    await expect(resume(graph)).rejects.toMatchObject({ code: "denied" });
    expect(web.calls).toEqual(["echo", "echo"]);
  });

  it("cannot bring over a run of another thread", async () => {
    const { graph, web, state } = await pause();
    const other = { configurable: { thread_id: "2" } };
    await graph.invoke({ vars: { q: "b" } }, other);
    const { run, out_a, out_pay } = state;
    await graph.updateState(other, { run, out_a, out_pay } as never, "a" as never);
    await expect(graph.invoke(null, other)).rejects.toMatchObject({ code: "denied" });
    expect(web.calls).toEqual(["echo", "echo"]);
  });

  it.each([undefined, "begin", "n", "g", "g.in", "g/end"])(
    "makes no finished call of a nested pipe or group again, as node %s",
    async (node) => {
      const inner = { id: "n", pipe: { steps: [say("a"), { id: "pay", tool: "pay" }, say("z")] } };
      const group = { id: "g", parallel: [{ id: "in", parallel: [inner, say("y")] }] };
      for (const step of [inner, group]) {
        if (node !== undefined && node !== "begin" && !node.startsWith(step.id)) continue;
        const { graph, web } = await pause({ steps: [step] }, {});
        const before = said(web);
        await write(graph, {}, node);
        expect(await graph.invoke(null, CONFIG)).toHaveProperty("__interrupt__");
        expect(await resume(graph)).toMatchObject({ ok: true });
        expect(said(web)).toEqual([...before, "pay", "z"]);
      }
    },
  );

  it("cannot take away what is in a nested pipe that has ended", async () => {
    const inner = { id: "n", pipe: { steps: [say("a")] } };
    const { graph, web, state } = await pause({ steps: [inner, { id: "p", tool: "pay" }] }, {});
    const { inner: _, ...kept } = state.out_n as { readonly inner: object };
    await write(graph, { out_n: kept });
    await expect(resume(graph)).rejects.toMatchObject({ code: "denied" });
    expect(web.calls).toEqual(["echo"]);
  });

  it("reaches no channel of a nested pipe", async () => {
    for (const forge of [
      () => ({ out_a: FORGED }),
      (s: PipeState) => ({ out_pay: waitingWith(s, { arguments: { v: 9 } }) }),
    ]) {
      const { graph, web } = await pause(NESTED, {});
      const { tasks } = await graph.getState(CONFIG, { subgraphs: true });
      const inner = tasks[0]?.state as {
        readonly config: typeof CONFIG;
        readonly values: PipeState;
      };
      await graph.updateState(inner.config, forge(inner.values) as never);
      await expect(resume(graph)).rejects.toMatchObject({ code: "denied" });
      expect(web.calls).toEqual(["echo"]);
    }
  });
});

it("A pipe that has ended gives no result that a client has written.", async () => {
  const { graph } = await pause();
  await resume(graph);
  await write(graph, { out_a: FORGED }, "finish");
  await expect(graph.invoke(null, CONFIG)).rejects.toMatchObject({ code: "denied" });
});

it("A pipe does not continue under a host with another secret, and the error says what to do.", async () => {
  const { checkpointer } = await pause();
  const { graph, web } = await openGraph(SPEC, { secret: SECRET.toUpperCase(), checkpointer });
  await expect(resume(graph)).rejects.toThrow("Give the hosts of all processes the same `secret`");
  expect(web.calls).toEqual([]);
});
