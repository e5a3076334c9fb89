import { engineOf } from "@toolrail/core/adapter";
import type { PipeEngine } from "./pipe-engine.ts";
import { keptAt } from "./pipe-state.ts";
import type { PlacedPipe, PlacedStep } from "./place-steps.ts";
import { HUB, nodesOf, type Route, targetsOf, toRoute } from "./route-steps.ts";
import type { NestedGraph } from "./run-step.ts";

/** As much of a StateGraph as is needed here, for names that are not known to the compiler. */
export interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(from: string, route: Route, to: string[]): OpenGraph;
  compile(): NestedGraph;
}

/** A graph that is being made, to be run or only to be drawn. */
export interface Making {
  readonly engine: PipeEngine;
  readonly pipe: PlacedPipe;
  readonly graph: OpenGraph;
  readonly isDrawn?: boolean | undefined;
}

/** The first and the last node around the steps of a graph. */
export interface Ends {
  readonly from: string;
  readonly end: string;
}

/**
 * Where the run goes on after each node of the steps of a pipe. All nodes of a step lead to one hub, which
 * never runs beside them and decides by the state: in the order of the data one for all steps, else the last node of
 * each. So no edge waits for several nodes, and none that a process or an error has lost is missed.
 */
export function addEdges(making: Making, ends: Ends): void {
  const { pipe, graph, isDrawn } = making;
  if (!pipe.sequence) addListed(making, ends);
  else if (isDrawn) drawByData(making, ends);
  else {
    const nodes = pipe.steps.flatMap(nodesOf);
    graph.addNode(HUB, () => ({})).addEdge(ends.from, HUB);
    for (const node of nodes) graph.addEdge(node, HUB);
    graph.addConditionalEdges(HUB, toRoute(pipe, ends.end), [...nodes, ends.end]);
  }
}

function addListed({ engine, pipe, graph }: Making, { from, end }: Ends): void {
  const { steps, continueOnError } = pipe;
  const { mayWait } = engineOf(engine.host);
  graph.addEdge(from, steps[0]?.entry ?? end);
  for (const [index, step] of steps.entries()) {
    const { entry, node } = step;
    const next = steps[index + 1]?.entry ?? end;
    const stop = continueOnError ? next : end;
    const route: Route = (state) => {
      const kept = keptAt(state, step);
      if (kept?.type !== "ended") return targetsOf(step, state);
      return kept.error === "" ? next : stop;
    };
    const goOn = (name: string, inside: readonly string[]) =>
      graph.addConditionalEdges(name, route, [...new Set([...inside, next, stop])]);
    const { first, again } = turnsOf(step, mayWait);
    goOn(entry, first);
    if (node !== entry) goOn(node, again);
    const inner = nodesOf(step).filter((name) => name !== entry && name !== node);
    for (const name of inner) graph.addEdge(name, node);
  }
}

/** The nodes of a step that its first node may lead to, and those that run at a later turn: for items, or after a pause. */
function turnsOf(step: PlacedStep, mayWait: boolean): Record<"first" | "again", string[]> {
  if (step.kind === "tool") return { first: mayWait ? [step.node] : [], again: [] };
  if (step.kind === "pipe") return { first: [step.node], again: [] };
  if (step.kind === "for_each") return { first: [step.item, step.node], again: [step.item] };
  const again = step.children.flatMap((child) => {
    const turns = turnsOf(child, mayWait);
    return child.kind === "parallel" ? [...turns.first, ...turns.again, child.node] : turns.first;
  });
  return { first: step.children.map((child) => child.entry), again };
}

/** In place of the hub, what the steps need. */
function drawByData({ pipe, graph }: Making, { from, end }: Ends): void {
  const drawInside = (step: PlacedStep): void => {
    const { entry, node } = step;
    if (step.kind === "pipe") graph.addEdge(entry, node);
    if (step.kind === "for_each") graph.addEdge(entry, step.item).addEdge(step.item, node);
    for (const child of step.kind === "parallel" ? step.children : []) {
      graph.addEdge(entry, child.entry);
      drawInside(child);
      graph.addEdge(child.node, node);
    }
  };
  for (const step of pipe.steps) {
    const needed = pipe.steps.filter(({ id }) => step.needs.includes(id));
    for (const { node } of needed) graph.addEdge(node, step.entry);
    if (needed.length === 0) graph.addEdge(from, step.entry);
    drawInside(step);
    const isNeeded = pipe.steps.some(({ needs }) => needs.includes(step.id));
    if (!isNeeded) graph.addEdge(step.node, end);
  }
}
