import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { type ChainResult, createHost, type Host } from "@toolrail/core";
import { parsePipe, runPipe } from "@toolrail/core/pipe";
import { compilePipe } from "@toolrail/langgraph";
import { afterAll, test } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { type BudgetRow, reportBudgets } from "./budgets.ts";
import { compare, ratio, undisturbed } from "./compare.ts";

const STEPS = 10;
const SLOW = { timeout: 300_000 };
const rows: BudgetRow[] = [];
const steps = Array.from({ length: STEPS }, (_, at) => ({
  id: `s${at}`,
  tool: "echo",
  args: { v: at === 0 ? "x" : { $ref: `steps.s${at - 1}.structured.v` } },
}));
const spec = { steps, return: { $ref: `steps.s${STEPS - 1}.structured.v` } };

afterAll(() => reportBudgets(rows));

async function openHost(): Promise<Host> {
  const { client } = await createTestServer(
    {
      echo: { answer: ({ arguments: args }) => ({ content: [], structuredContent: args }) },
    },
    { record: false },
  );
  return createHost({ servers: { web: client } });
}

/** What ten steps are by hand: a call, and its field for the next. */
async function byHand(host: Host): Promise<unknown> {
  let v: unknown = "x";
  for (let at = 0; at < STEPS; at++) {
    const { hops } = await host.run({ tool: "web.echo", arguments: { v } });
    const value = hops[0]?.result.structuredContent as { v: unknown } | undefined;
    v = value?.v;
  }
  return v;
}

test("ten steps over MCP, and without it", SLOW, async () => {
  const host = await openHost();
  const pipe = parsePipe(host, { spec });
  const overMcp = await compare(
    { byHand: () => byHand(host), pipe: () => runPipe(host, { spec: pipe }) },
    { calls: 20, rounds: 200 },
  );
  rows.push({
    what: "ten steps over hand-written awaits",
    measured: ratio(overMcp.pipe, overMcp.byHand),
    budget: 1.25,
  });
  const chain = await host.run({ tool: "web.echo", arguments: { v: "x" } });
  const still: Host = Object.create(host, {
    run: { value: async (): Promise<ChainResult> => chain },
  });
  const engine = await compare(
    {
      awaits: async () => {
        for (let at = 0; at < STEPS; at++) await still.run({ tool: "web.echo" });
      },
      pipe: () => runPipe(still, { spec: pipe }),
    },
    { calls: 100, rounds: 200 },
  );
  rows.push({
    what: "engine time of a step",
    measured: (undisturbed(engine.pipe) - undisturbed(engine.awaits)) / STEPS,
    budget: 3,
    unit: " µs",
  });
});

test("a graph from a spec, and the same graph by hand", SLOW, async () => {
  const host = await openHost();
  const graph = compilePipe(host, { spec });
  const hand = buildByHand(host);
  const graphs = await compare(
    { byHand: () => hand.invoke({}, { recursionLimit: 50 }), spec: () => graph.invoke({}) },
    { calls: 2, rounds: 100 },
  );
  rows.push({
    what: "a graph of ten steps over the same by hand",
    measured: ratio(graphs.spec, graphs.byHand),
    budget: 1.15,
  });
});

/** One node and one channel a step, the node before decides whether to go on, and a node for the end. */
function buildByHand(host: Host) {
  const channels = Object.fromEntries(steps.map(({ id }) => [id, Annotation<unknown>]));
  const graph = new StateGraph(
    Annotation.Root({ ...channels, result: Annotation<unknown> }),
  ) as unknown as Open;
  const names = steps.map((_, at) => `n${at}`);
  steps.forEach(({ id }, at) => {
    graph.addNode(`n${at}`, async (state: Record<string, unknown>) => {
      const before = state[`s${at - 1}`] as { structured: { v: unknown } } | undefined;
      const v = before?.structured.v ?? "x";
      const { hops, ended } = await host.run({ tool: "web.echo", arguments: { v } });
      const result = hops[0]?.result;
      return { [id]: { ok: ended === "complete", structured: result?.structuredContent, hops } };
    });
  });
  graph.addNode("end", (state: Record<string, unknown>) => ({ result: state[`s${STEPS - 1}`] }));
  graph.addEdge(START, "n0");
  names.forEach((name, at) => {
    const next = names[at + 1] ?? "end";
    graph.addConditionalEdges(
      name,
      (state) => ((state[`s${at}`] as { ok: boolean }).ok ? next : "end"),
      [...new Set([next, "end"])],
    );
  });
  graph.addEdge("end", END);
  return graph.compile();
}

interface Open {
  addNode(name: string, node: (state: Record<string, unknown>) => unknown): void;
  addEdge(from: string, to: string): void;
  addConditionalEdges(
    from: string,
    route: (state: Record<string, unknown>) => string,
    to: string[],
  ): void;
  compile(): { invoke(input: object, config?: object): Promise<unknown> };
}
