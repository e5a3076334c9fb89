import { Annotation, END, START, StateGraph, UntrackedValueChannel } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import type { PipeResult } from "@toolrail/core/pipe";
import { finish, startNode } from "./frame-nodes.ts";
import { type NestedGraph, type NestedRun, runItem, runNested } from "./nested-nodes.ts";
import type { PipeEngine } from "./pipe-engine.ts";
import { toNode, type Work } from "./pipe-node.ts";
import { keptAt, type PipeState } from "./pipe-state.ts";
import {
  allSteps,
  channelsOf,
  type PlacedEach,
  type PlacedNested,
  type PlacedPipe,
  type PlacedStep,
  placeItems,
} from "./place-steps.ts";
import { HUB, hubRoute, nodesOf, type Route, targetsOf } from "./route-steps.ts";
import { begin, join, runTool } from "./step-nodes.ts";

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
  return 25 + 24 * allSteps(steps).length;
}

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
  const state = Annotation.Root({ ...State.spec, run, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  const making = { engine, pipe, graph };
  graph.addNode(BEGIN, startNode(engine)).addEdge(START, BEGIN);
  addSteps(making, { from: BEGIN, end: FINISH });
  addNode(making, { name: FINISH, work: finish(engine) }).addEdge(FINISH, END);
  return graph;
}

/** The graph of a nested pipe: its steps alone. What it comes to follows from their channels. */
function toNestedGraph(engine: PipeEngine, pipe: PlacedPipe): NestedGraph {
  const graph = new StateGraph(Annotation.Root(toChannels(pipe))) as unknown as OpenGraph;
  addSteps({ engine, pipe, graph }, { from: START, end: END });
  return graph.compile();
}

function toChannels({ steps }: PlacedPipe) {
  const lists = allSteps(steps).map((step) => step.kind === "for_each" && step.items);
  const channels = channelsOf(steps).map((channel) => {
    return [channel, lists.includes(channel) ? Items() : Annotation<unknown>];
  });
  return Object.fromEntries(channels) as Record<string, typeof Annotation<unknown>>;
}

/** How far the items of a list have come. Each writes its own; a new run clears all. */
function Items() {
  return Annotation<PipeState>({
    reducer: (before, update) => (update === null ? {} : { ...before, ...update }),
    default: () => ({}),
  });
}

function addNode(
  { engine, pipe, graph }: Making,
  { name, work, ...options }: { readonly name: string; readonly work: Work; subgraphs?: object[] },
): OpenGraph {
  return graph.addNode(name, toNode(engine, { pipe, work }), options);
}

/** The steps of a list, one after another. Every edge is plain or a choice: none waits for several nodes. */
function addSteps(making: Making, list: { readonly from: string; readonly end: string }): void {
  const { pipe, graph } = making;
  const { steps, continueOnError } = pipe;
  if (pipe.sequence) {
    addHub(making, list);
    return;
  }
  graph.addEdge(list.from, steps[0]?.entry ?? list.end);
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]?.entry ?? list.end;
    addStep(making, { step, next, stop: continueOnError ? next : list.end });
  }
}

/** The steps of a list in the order of their data: each node leads to one hub, which decides what is next. */
function addHub(making: Making, { from, end }: { readonly from: string; readonly end: string }) {
  const { pipe, graph } = making;
  graph.addNode(HUB, () => ({})).addEdge(from, HUB);
  for (const step of pipe.steps) addStep(making, { step, next: HUB, stop: HUB, hub: HUB });
  graph.addConditionalEdges(HUB, hubRoute(pipe, end), [...nodesOf(pipe.steps), end]);
}

/** A step, and where the run goes on when it has ended well or failed. */
interface Link {
  readonly step: PlacedStep;
  readonly next: string;
  readonly stop: string;
  /** The node that all of its nodes lead to, and that decides where the run goes on. */
  readonly hub?: string;
}

function addStep(making: Making, link: Link): void {
  const { engine, pipe } = making;
  const { step, hub } = link;
  const { entry, node } = step;
  if (step.kind === "tool") {
    const { mayWait } = engineOf(engine.host);
    addNode(making, { name: node, work: runTool(step) });
    addEdges(making, { ...link, from: node, targets: mayWait ? [node] : [] });
    return;
  }
  addNode(making, { name: entry, work: begin(step) });
  if (step.kind === "parallel") {
    const next = hub ?? node;
    for (const child of step.children) addStep(making, { ...link, step: child, next, stop: next });
  }
  if (step.kind === "pipe") {
    const nested = toNested(engine, step);
    addNode(making, { name: node, work: runNested(step, nested), subgraphs: [nested.graph] });
  } else addNode(making, { name: node, work: join(step) });
  if (step.kind === "for_each") {
    addItem(making, { ...link, step });
    const inside: Route = (state) => targetsOf(step, { pipe, state });
    addEdges(making, { ...link, from: entry, targets: [step.item, node], inside });
    addEdges(making, { ...link, from: node, targets: [step.item], inside });
    return;
  }
  const targets = step.kind === "parallel" ? step.children.map((child) => child.entry) : [node];
  addEdges(making, { ...link, from: entry, targets });
  addEdges(making, { ...link, from: node, targets: [] });
}

/** The node of all items: its runs are given what they see, one by one. */
function addItem(making: Making, { step, hub }: Link & { readonly step: PlacedEach }): void {
  const { engine, graph } = making;
  const { item, node, body } = step;
  const made = new Map<string, NestedRun>();
  const nest = (inner: PlacedNested): NestedRun => {
    const known = made.get(inner.id) ?? toNested(engine, inner);
    made.set(inner.id, known);
    return known;
  };
  const [first] = placeItems(step, 1);
  const subgraphs = body.kind === "pipe" && first?.kind === "pipe" ? [nest(first).graph] : [];
  addNode(making, { name: item, work: runItem(step, nest), subgraphs });
  graph.addEdge(item, hub ?? node);
}

function toNested(engine: PipeEngine, { pipe }: PlacedNested): NestedRun {
  return { graph: toNestedGraph(engine, pipe), recursionLimit: recursionLimitOf(pipe) };
}

interface Edges extends Link {
  readonly from: string;
  /** Nodes of the step where the run may go on while it is not over. */
  readonly targets: string[];
  /** Which of them. Default: all. */
  readonly inside?: Route;
}

/** From a node of a step to where it goes on, or, while it is not over, to nodes of its own. */
function addEdges({ graph }: Making, edges: Edges): void {
  const { from, targets, inside = () => targets, step, next, stop, hub } = edges;
  if (hub !== undefined) {
    graph.addEdge(from, hub);
    return;
  }
  const route: Route = (state) => {
    const kept = keptAt(state, step);
    if (kept?.type !== "ended") return inside(state);
    return kept.error === "" ? next : stop;
  };
  graph.addConditionalEdges(from, route, [...new Set([...targets, next, stop])]);
}
