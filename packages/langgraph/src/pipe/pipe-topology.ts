import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import { finish, startNode } from "./frame-nodes.ts";
import { type NestedGraph, type NestedRun, runItem, runNested } from "./nested-nodes.ts";
import { Input, Output, State, toChannels } from "./pipe-channels.ts";
import { addEdges, type Ends, type Making, type OpenGraph } from "./pipe-edges.ts";
import type { PipeEngine } from "./pipe-engine.ts";
import { toNode, type Work } from "./pipe-node.ts";
import {
  allSteps,
  type PlacedNested,
  type PlacedPipe,
  type PlacedStep,
  placeItems,
} from "./place-steps.ts";
import { begin, join, runTool } from "./step-nodes.ts";

/** Super-steps of one pipe, with room for every step to wait for a person several times. */
export function recursionLimitOf({ steps }: PlacedPipe): number {
  return 25 + 24 * allSteps(steps).length;
}

const BEGIN = "begin";
const FINISH = "finish";

/** The graph of a pipe as a whole: its input, its steps and its output. */
export function toGraph(engine: PipeEngine, { isDrawn }: Pick<Making, "isDrawn"> = {}): OpenGraph {
  const { pipe } = engine;
  const run = Annotation<unknown>;
  const state = Annotation.Root({ ...State.spec, run, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  graph.addNode(BEGIN, startNode(engine)).addEdge(START, BEGIN);
  addSteps({ engine, pipe, graph, isDrawn }, { from: BEGIN, end: FINISH });
  graph.addNode(FINISH, toNode(engine, { pipe, work: finish(engine) })).addEdge(FINISH, END);
  return graph;
}

/** The graph of a nested pipe: its steps alone. What it comes to follows from their channels. */
function toNested({ engine, isDrawn }: Making, { pipe }: PlacedNested): NestedRun {
  const graph = new StateGraph(Annotation.Root(toChannels(pipe))) as unknown as OpenGraph;
  addSteps({ engine, pipe, graph, isDrawn }, { from: START, end: END });
  return { graph: showConditions(graph.compile(), pipe), recursionLimit: recursionLimitOf(pipe) };
}

/** The graph of a pipe as it is drawn. */
export function toPicture(engine: PipeEngine): NestedGraph {
  return showConditions(toGraph(engine, { isDrawn: true }).compile(), engine.pipe);
}

/** Lets the picture of a graph say which of its steps have a condition. */
function showConditions(graph: NestedGraph, { steps }: PlacedPipe): NestedGraph {
  const draw = graph.getGraphAsync.bind(graph);
  const conditional = allSteps(steps).flatMap(({ entry, when }) => (when ? entry : []));
  return Object.assign(graph, {
    async getGraphAsync(config: object) {
      const drawn = await draw(config);
      drawn.edges = drawn.edges.map((edge) => {
        const isWhen = conditional.includes(edge.target) && edge.source !== edge.target;
        return isWhen ? { ...edge, data: "when", conditional: true } : edge;
      });
      return drawn;
    },
  });
}

function addSteps(making: Making, ends: Ends): void {
  for (const step of making.pipe.steps) addNodes(making, step);
  addEdges(making, ends);
}

/** The nodes of a step, and of those in a group. */
function addNodes(making: Making, step: PlacedStep): void {
  const { engine, pipe, graph } = making;
  const add = (name: string, work: Work, subgraphs: object[] = []) =>
    graph.addNode(name, toNode(engine, { pipe, work }), { subgraphs });
  if (step.kind === "tool") {
    add(step.node, runTool(step));
    return;
  }
  add(step.entry, begin(step));
  if (step.kind === "pipe") {
    const nested = toNested(making, step);
    add(step.node, runNested(step, nested), [nested.graph]);
    return;
  }
  if (step.kind === "parallel") for (const child of step.children) addNodes(making, child);
  if (step.kind === "for_each") {
    const made = new Map<string, NestedRun>();
    const nest = (inner: PlacedNested): NestedRun => {
      const known = made.get(inner.id) ?? toNested(making, inner);
      made.set(inner.id, known);
      return known;
    };
    const [first] = placeItems(step, 1);
    add(step.item, runItem(step, nest), first?.kind === "pipe" ? [nest(first).graph] : []);
  }
  add(step.node, join(step));
}
