import { Send } from "@langchain/langgraph";
import type { PipeEngine } from "./pipe-engine.ts";
import { partsOf } from "./pipe-results.ts";
import { keptAt, type PipeState } from "./pipe-state.ts";
import { nodesOf, type PlacedPipe, type PlacedStep } from "./place-steps.ts";
import type { NestedGraph } from "./run-nested.ts";

/** A node to go to, or that of an item with its number. */
type Target = string | Send;
/** Where a graph goes on, by its state. */
type Route = (state: PipeState) => Target | Target[];

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

/** The nodes before and after the steps of a graph. */
export interface Ends {
  readonly from: string;
  readonly end: string;
}

/**
 * Where the run goes on after each node of the steps of a pipe. The nodes of a step lead to its first one, which never
 * runs beside them and decides by the state: so no edge waits for several nodes, and none that a process or an error
 * has lost is missed.
 */
export function addEdges({ pipe, graph, isDrawn }: Making, { from, end }: Ends): void {
  const { steps, continueOnError } = pipe;
  graph.addEdge(from, steps[0]?.node ?? end);
  for (const [index, step] of steps.entries()) {
    const { node } = step;
    const next = steps[index + 1]?.node ?? end;
    const stop = continueOnError ? next : end;
    const route: Route = (state) => {
      const kept = keptAt(state, step);
      if (kept?.type !== "ended") return targetsOf(step, state);
      return kept.error === "" ? next : stop;
    };
    const inner = nodesOf(step).slice(1);
    const again = isDrawn ? [] : [node]; // Another turn of the same step is nothing to draw.
    graph.addConditionalEdges(node, route, [...new Set([...again, ...inner, next, stop])]);
    for (const name of inner) graph.addEdge(name, node);
  }
}

/** The nodes with which a step goes on. */
function targetsOf(step: PlacedStep, state: PipeState): Target[] {
  const kept = keptAt(state, step);
  if (kept?.type === "ended") return [];
  const isHolder = step.kind === "parallel" || step.kind === "for_each";
  if (!kept || !isHolder) return [step.node];
  const { parts, state: inner } = partsOf(step, state);
  const inside = parts.flatMap((part, at): Target[] => {
    if (step.kind === "parallel") return targetsOf(part, state);
    return keptAt(inner, part)?.type === "ended" ? [] : [new Send(step.item, { at })];
  });
  return inside.length > 0 ? inside : [step.node];
}
