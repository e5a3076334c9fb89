import { Annotation, END, START, StateGraph, UntrackedValueChannel } from "@langchain/langgraph";
import type { JsonObject, PipePlan, PipeResult } from "@toolrail/core";
import { beginNode, finishNode, joinNode } from "./frame-nodes.ts";
import { keepingLarge } from "./large-values.ts";
import type { PipeEngine } from "./pipe-context.ts";
import { type PlacedStep, placeSteps } from "./pipe-names.ts";
import { isOver, keptAt, type PipeState, type PlacedPipe } from "./pipe-state.ts";
import { type NestedGraph, nestedNode, toolNode } from "./step-nodes.ts";

/** What a pipe's graph gives: the output of the contract. */
export const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: Annotation<unknown>,
  result_for_model: Annotation<unknown>,
  steps: Annotation<PipeResult["steps"]>,
});
/** What it takes. */
export const Input = Annotation.Root({ vars: Annotation<JsonObject | null | undefined> });
/** What it holds, but for the channels of its steps and of the run. */
export const State = Annotation.Root({ ...Input.spec, ...Output.spec });

/** Super-steps of one pipe, with room for every step to wait for a person several times. */
export function recursionLimitOf(nodes: number): number {
  return 25 + 8 * nodes;
}

type Route = (state: PipeState) => string | string[];

/** As much of a StateGraph as is needed here, for names that are not known to the compiler. */
interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(from: string, route: Route, to: string[]): OpenGraph;
  compile(): NestedGraph;
}

const BEGIN = "begin";
const FINISH = "finish";

/** The nodes and edges of one pipe. Every edge is plain or a choice: none waits for several nodes. */
export function toGraph(engine: PipeEngine, plan: PipePlan): OpenGraph {
  const placed = placeSteps(plan);
  const pipe: PlacedPipe = { plan, placed };
  const channels = Object.fromEntries(
    ["given", "run", ...placed.map(({ channel }) => channel)].map((channel) => {
      return [channel, Annotation<unknown>] as const;
    }),
  );
  // The steps are in channels of their own: a copy in the output need not be kept.
  const steps = new UntrackedValueChannel<PipeResult["steps"]>({ guard: false });
  const value = () => new UntrackedValueChannel<unknown>({ guard: false });
  const untracked = engine.largeValues
    ? { steps, result: value(), result_for_model: value() }
    : { steps };
  const state = Annotation.Root({ ...State.spec, ...channels, ...untracked });
  const output = Annotation.Root({ ...Output.spec, ...untracked });
  const graph = new StateGraph({ state, input: Input, output }) as unknown as OpenGraph;
  graph.addNode(BEGIN, beginNode(engine, pipe)).addEdge(START, BEGIN);
  for (const place of placed) addStep(engine, graph, pipe, place);
  graph.addNode(FINISH, keepingLarge(engine, finishNode(engine, pipe))).addEdge(FINISH, END);
  const tops = placed.filter(({ groups }) => groups.length === 0);
  for (const node of entriesOf(pipe, tops[0])) graph.addEdge(BEGIN, node);
  for (const place of placed) {
    const outer = place.groups.at(-1);
    const next = outer ? [outer.node] : entriesOf(pipe, tops[tops.indexOf(place) + 1]);
    const isStep = outer === undefined;
    const route: Route = (values) => {
      if (!isOver(values, place)) return place.step.kind === "tool" ? place.node : END;
      const kept = keptAt(values, place);
      const failed = kept !== undefined && "ok" in kept && !kept.ok;
      return isStep && failed && !plan.continueOnError ? FINISH : next;
    };
    const stops = isStep && !plan.continueOnError ? [FINISH] : [];
    const waits = place.step.kind === "tool" ? [place.node] : [END];
    graph.addConditionalEdges(place.node, route, [...new Set([...next, ...stops, ...waits])]);
  }
  return graph;
}

function addStep(engine: PipeEngine, graph: OpenGraph, pipe: PlacedPipe, place: PlacedStep): void {
  const { step, node } = place;
  switch (step.kind) {
    case "tool":
      graph.addNode(node, keepingLarge(engine, toolNode(engine, pipe, place)));
      break;
    case "parallel":
      graph.addNode(
        node,
        keepingLarge(engine, joinNode(engine, pipe, place, childrenOf(pipe, place))),
      );
      break;
    case "pipe": {
      const inner = toGraph(engine, step.pipe).compile();
      const nested = {
        graph: inner,
        recursionLimit: recursionLimitOf(placeSteps(step.pipe).length),
      };
      graph.addNode(node, keepingLarge(engine, nestedNode(engine, pipe, place, nested)), {
        subgraphs: [inner],
      });
    }
  }
}

function childrenOf({ placed }: PlacedPipe, group: PlacedStep): PlacedStep[] {
  return placed.filter(({ groups }) => groups.at(-1) === group);
}

/** The nodes that begin a step: for a group those of its children; after the last step the end. */
function entriesOf(pipe: PlacedPipe, place: PlacedStep | undefined): string[] {
  if (!place) return [FINISH];
  if (place.step.kind !== "parallel") return [place.node];
  return childrenOf(pipe, place).flatMap((child) => entriesOf(pipe, child));
}
