import type { Graph } from "@langchain/core/runnables/graph";
import { Annotation, END, Send, START, StateGraph } from "@langchain/langgraph";
import { findByPlace } from "../langgraph-internals.ts";
import type { PipeEngine } from "./pipe-engine.ts";
import { toNode, type Work } from "./pipe-node.ts";
import {
  hasEnded,
  Input,
  keptAt,
  Output,
  type PipeState,
  partsOf,
  State,
  toChannels,
} from "./pipe-state.ts";
import {
  allSteps,
  type PlacedApart,
  type PlacedHolder,
  type PlacedNested,
  type PlacedPart,
  type PlacedPipe,
  type PlacedStep,
  type PlacedTool,
  placeItems,
} from "./place-steps.ts";
import { finishRun, startRun } from "./run-nodes.ts";
import {
  beginHolder,
  beginNested,
  endHolder,
  type Nest,
  type NestedGraph,
  runItem,
  runStep,
} from "./step-nodes.ts";

/** As much of a StateGraph as is needed here, for names that are not known to the compiler. */
export interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(from: string, route: Route, to: readonly string[]): OpenGraph;
  compile(): NestedGraph;
}

/**
 * Where a graph goes on, by its state. To a node that leads on regularly, by its name. What has to be done again – a step
 * that waited for a person, or was lost – is sent: that is no edge, and nobody would draw it as one.
 */
type Route = (state: PipeState) => string | Send | readonly (string | Send)[];

/** A graph that is being made. */
interface Making {
  readonly engine: PipeEngine;
  readonly pipe: PlacedPipe;
  readonly graph: OpenGraph;
  readonly nest: Nest;
}

/** Where a step leads: after it, and where it has failed. */
interface Exits {
  readonly next: string;
  readonly failed: string;
}

const BEGIN = "begin";
const FINISH = "finish";

/** The graph of a pipe as a whole: its input, its steps and its output. */
export function toGraph(engine: PipeEngine): OpenGraph {
  const { pipe } = engine;
  const state = Annotation.Root({ ...State.spec, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  graph.addNode(BEGIN, startRun(engine)).addEdge(START, BEGIN);
  addSteps({ engine, pipe, graph, nest: createNest(engine) }, { from: BEGIN, end: FINISH });
  graph.addNode(FINISH, toNode(engine, { pipe, work: finishRun(engine) })).addEdge(FINISH, END);
  return graph;
}

/** The graphs of the steps that are ones, each made once. */
function createNest(engine: PipeEngine): Nest {
  const made = new Map<string, NestedGraph>();
  const nest: Nest = (step) => {
    const known = made.get(step.path) ?? toNested({ engine, nest }, step);
    made.set(step.path, known);
    return known;
  };
  return nest;
}

/** The graph of a step. What it comes to follows from its channels. */
function toNested(
  { engine, nest }: Pick<Making, "engine" | "nest">,
  step: PlacedNested | PlacedApart,
): NestedGraph {
  const { pipe } = step;
  const graph = new StateGraph(Annotation.Root(toChannels(pipe))) as unknown as OpenGraph;
  const making = { engine, pipe, graph, nest };
  if (step.kind === "apart") {
    addSteps(making, { from: START, end: END });
  } else {
    graph.addNode(BEGIN, toNode(engine, { pipe, work: beginNested(step) })).addEdge(START, BEGIN);
    addSteps(making, { from: BEGIN, end: END, mayEnd: true });
  }
  return showAsDrawn(graph.compile(), pipe);
}

/** Where the steps of a graph begin and end; they may not begin at all where `mayEnd`. */
interface Ends {
  readonly from: string;
  readonly end: string;
  readonly mayEnd?: boolean;
}

function addSteps(making: Making, { from, end, mayEnd = false }: Ends): void {
  const { pipe, graph } = making;
  const first = pipe.steps[0]?.node ?? end;
  // A nested pipe that was skipped, or may not run, leads nowhere.
  const begin: Route = ({ run }) =>
    (run as { type?: unknown } | null)?.type === "ended" ? [] : first;
  if (mayEnd) graph.addConditionalEdges(from, begin, [first]);
  else graph.addEdge(from, first);
  for (const [index, step] of pipe.steps.entries()) {
    const next = pipe.steps[index + 1]?.node ?? end;
    const exits = { next, failed: pipe.continueOnError ? next : end };
    if ("join" in step) addHolder(making, { step, ...exits });
    else addPart(making, { step, ...exits });
  }
}

/** A step that one node runs. */
function addPart(
  making: Making,
  { step, next, failed }: Exits & { readonly step: PlacedTool | PlacedNested },
): void {
  addRunning(making, step);
  const route: Route = (state) => exitOf(step, { state, next, failed }) ?? again(step.node);
  making.graph.addConditionalEdges(step.node, route, toSet(next, failed));
}

/** A group or a list: it leads to its parts, and these to the node at which they meet. */
function addHolder(
  making: Making,
  { step, next, failed }: Exits & { readonly step: PlacedHolder },
): void {
  const { graph, nest } = making;
  const { node, join } = step;
  const isList = step.kind === "for_each";
  const inside = isList ? [step.item] : step.children.map((part) => part.node);
  addWork(making, { name: node, work: beginHolder(step) });
  const enter: Route = (state) => {
    const open = openParts(step, state);
    if (open.length === 0) return again(join);
    return isList ? open : open.map((send) => send.node);
  };
  graph.addConditionalEdges(node, enter, inside);
  if (isList) {
    const item = placeItems(step, 1)[0];
    const subgraphs = item?.kind === "pipe" ? [nest(item)] : [];
    addWork(making, { name: step.item, work: runItem(step, nest), subgraphs });
  } else {
    for (const part of step.children) addRunning(making, part);
  }
  for (const name of inside) graph.addEdge(name, join);
  addWork(making, { name: join, work: endHolder(step) });
  const leave: Route = (state) => {
    const open = () => openParts(step, state);
    const exit = exitOf(step, { state, next, failed });
    if (exit !== undefined) return exit;
    return open().length > 0 ? open() : again(keptAt(state, step) ? join : node);
  };
  graph.addConditionalEdges(join, leave, toSet(next, failed));
}

/** Where a step that has ended leads. */
function exitOf(
  step: PlacedStep,
  { state, next, failed }: Exits & { readonly state: PipeState },
): string | undefined {
  const kept = keptAt(state, step);
  if (kept?.type !== "ended") return undefined;
  return kept.error === "" ? next : failed;
}

/** The parts of a group, or the items of a list, that have begun and not ended. */
function openParts(step: PlacedHolder, state: PipeState): Send[] {
  if (keptAt(state, step)?.type !== "begun") return [];
  const { parts, state: own } = partsOf(step, state);
  return parts.flatMap((part, at) => {
    if (hasEnded(own, part)) return [];
    return step.kind === "for_each" ? new Send(step.item, { at }) : again(part.node);
  });
}

const again = (node: string) => new Send(node, { at: -1 });

const toSet = (...names: string[]) => [...new Set(names)];

function addWork(
  { engine, pipe, graph }: Making,
  {
    name,
    work,
    subgraphs = [],
  }: {
    readonly name: string;
    readonly work: Work;
    readonly subgraphs?: readonly NestedGraph[];
  },
): void {
  graph.addNode(name, toNode(engine, { pipe, work }), { subgraphs });
}

/** The node of a step that makes a call, or is a graph of its own. */
function addRunning(making: Making, step: PlacedPart): void {
  const { nest, pipe } = making;
  const { node: name, path } = step;
  const isTop = pipe.path === "";
  const subgraphs = "pipe" in step ? [findByPlace(nest(step), { node: name, path, isTop })] : [];
  addWork(making, { name, work: runStep(step, nest), subgraphs });
}

/** Draws the edges of a graph as one would by hand: dotted where a step has failed, or has a condition. */
export function showAsDrawn<Drawn extends Pick<NestedGraph, "getGraph" | "getGraphAsync">>(
  compiled: Drawn,
  { steps }: PlacedPipe,
): Drawn {
  const { getGraph, getGraphAsync } = compiled;
  const conditional = new Set(
    allSteps(steps).flatMap(({ when, node }) => (when === undefined ? [] : node)),
  );
  const regular = new Set(steps.map(({ node }, at) => `${exitNode(steps[at - 1])} ${node}`));
  const last = exitNode(steps.at(-1));
  const exits = new Set(steps.map(exitNode));
  const tidy = (drawn: Graph): Graph => {
    drawn.edges = drawn.edges.map((edge) => {
      const { data: _, ...own } = edge;
      // The nodes of a graph that is shown inside this one begin with the name of its own.
      const [source = "", target = ""] = [edge.source, edge.target].map((id) => id.split(":")[0]);
      if (source === target) return edge;
      if (conditional.has(target)) return { ...own, data: "when", conditional: true };
      const isFailure = exits.has(source) && source !== last && !regular.has(`${source} ${target}`);
      return isFailure
        ? { ...own, data: "failed", conditional: true }
        : { ...own, conditional: false };
    });
    return drawn;
  };
  return Object.assign(compiled, {
    getGraph: (config?: object) => tidy(getGraph.call(compiled, config)),
    getGraphAsync: async (config?: object) => tidy(await getGraphAsync.call(compiled, config)),
  });
}

/** The node from which a step leads on. */
function exitNode(step: PlacedStep | undefined): string {
  if (!step) return "";
  return "join" in step ? step.join : step.node;
}
