import { Annotation, END, START, StateGraph, UntrackedValueChannel } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import type { PipeResult } from "@toolrail/core/pipe";
import { finish, startNode } from "./frame-nodes.ts";
import type { PipeEngine } from "./pipe-engine.ts";
import { toNode, type Work } from "./pipe-node.ts";
import { keptAt, type PipeState } from "./pipe-state.ts";
import { allSteps, type PlacedPipe, type PlacedStep } from "./place-steps.ts";
import { begin, join, type NestedGraph, runNested, runTool } from "./step-nodes.ts";

/** The output of the contract. What follows from the channels of the steps is in no checkpoint. */
export const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: new UntrackedValueChannel<unknown>({ guard: false }),
  result_for_model: new UntrackedValueChannel<unknown>({ guard: false }),
  steps: new UntrackedValueChannel<PipeResult["steps"]>({ guard: false }),
});
/** What a pipe's graph takes. */
export const Input = Annotation.Root({ vars: Annotation<JsonObject | null | undefined> });
/** What it holds, but for the channels of its steps and of the run. */
export const State = Annotation.Root({ ...Input.spec, ...Output.spec });

/** Super-steps of one pipe, with room for every step to wait for a person several times. */
export function recursionLimitOf({ steps }: PlacedPipe): number {
  return 25 + 12 * allSteps(steps).length;
}

type Route = (state: PipeState) => string | string[];

/** As much of a StateGraph as is needed here, for names that are not known to the compiler. */
interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(from: string, route: Route, to: string[]): OpenGraph;
  compile(): NestedGraph;
}

/** A graph that is being made. */
interface Making {
  readonly engine: PipeEngine;
  readonly pipe: PlacedPipe;
  readonly graph: OpenGraph;
}

const BEGIN = "begin";
const FINISH = "finish";

/** The graph of a pipe as a whole: its input, its steps and its output. */
export function toGraph(engine: PipeEngine): OpenGraph {
  const { pipe } = engine;
  const run = Annotation<unknown>;
  const state = Annotation.Root({ ...State.spec, run, ...channelsOf(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  const making = { engine, pipe, graph };
  graph.addNode(BEGIN, startNode(engine)).addEdge(START, BEGIN);
  addSteps(making, { from: BEGIN, end: FINISH });
  addNode(making, { name: FINISH, work: finish(engine) }).addEdge(FINISH, END);
  return graph;
}

/** The graph of a nested pipe: its steps alone. What it comes to follows from their channels. */
function toNestedGraph(engine: PipeEngine, pipe: PlacedPipe): NestedGraph {
  const graph = new StateGraph(Annotation.Root(channelsOf(pipe))) as unknown as OpenGraph;
  addSteps({ engine, pipe, graph }, { from: START, end: END });
  return graph.compile();
}

function channelsOf({ steps }: PlacedPipe) {
  const channels = allSteps(steps).map(({ channel }) => [channel, Annotation<unknown>]);
  return Object.fromEntries(channels) as Record<string, typeof Annotation<unknown>>;
}

function addNode(
  { engine, pipe, graph }: Making,
  { name, work, ...options }: { readonly name: string; readonly work: Work; subgraphs?: object[] },
): OpenGraph {
  return graph.addNode(name, toNode(engine, { pipe, work }), options);
}

/** The steps of a list, one after another. Every edge is plain or a choice: none waits for several nodes. */
function addSteps(making: Making, list: { readonly from: string; readonly end: string }): void {
  const { steps, continueOnError } = making.pipe;
  making.graph.addEdge(list.from, steps[0]?.entry ?? list.end);
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]?.entry ?? list.end;
    addStep(making, { step, next, stop: continueOnError ? next : list.end });
  }
}

/** A step, and where the run goes on when it has ended well or failed. */
interface Link {
  readonly step: PlacedStep;
  readonly next: string;
  readonly stop: string;
}

function addStep(making: Making, link: Link): void {
  const { engine } = making;
  const { step } = link;
  const { entry, node } = step;
  if (step.kind === "tool") {
    const { mayWait } = engineOf(engine.host);
    addNode(making, { name: node, work: runTool(step) });
    addEdges(making, { ...link, from: node, inside: mayWait ? [node] : [] });
    return;
  }
  addNode(making, { name: entry, work: begin(step) });
  if (step.kind === "parallel") {
    for (const child of step.children) addStep(making, { step: child, next: node, stop: node });
    addNode(making, { name: node, work: join(step) });
  } else {
    const graph = toNestedGraph(engine, step.pipe);
    const work = runNested(step, { graph, recursionLimit: recursionLimitOf(step.pipe) });
    addNode(making, { name: node, work, subgraphs: [graph] });
  }
  const inside = step.kind === "parallel" ? step.children.map((child) => child.entry) : [node];
  addEdges(making, { ...link, from: entry, inside });
  addEdges(making, { ...link, from: node, inside: [] });
}

/** From a node of a step to where it goes on, or, while it is not over, to nodes of its own. */
function addEdges(
  { graph }: Making,
  { from, inside, step, next, stop }: Link & { readonly from: string; readonly inside: string[] },
): void {
  const route: Route = (state) => {
    const kept = keptAt(state, step);
    if (kept?.type !== "ended") return inside;
    return kept.error === "" ? next : stop;
  };
  graph.addConditionalEdges(from, route, [...new Set([...inside, next, stop])]);
}
