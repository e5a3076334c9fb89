import type { Graph } from "@langchain/core/runnables/graph";
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import type { PipeEngine } from "./pipe-engine.ts";
import { finishRun, startRun, toNode, type Work } from "./pipe-node.ts";
import {
  Input,
  Output,
  type PipeState,
  readStep,
  State,
  type StoredStep,
  toChannels,
} from "./pipe-state.ts";
import type {
  PlacedApart,
  PlacedNested,
  PlacedPart,
  PlacedPipe,
  PlacedStep,
} from "./place-steps.ts";
import {
  beginGroup,
  beginNested,
  endGroup,
  type Nest,
  type NestedGraph,
  runStep,
} from "./step-nodes.ts";

/** The used part of `StateGraph`, for node names that the compiler does not know. */
interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(from: string, route: Route, to: readonly string[]): OpenGraph;
  compile(options?: object): NestedGraph;
}

/** The choice of the next nodes. */
type Route = (state: PipeState) => string | readonly string[];

interface Spot {
  readonly name: string;
  readonly work: Work;
  readonly subgraphs?: readonly NestedGraph[];
  /** The nodes to which edges are drawn. */
  readonly to: readonly string[];
  /** The choice among them. Default: always all of them. */
  readonly route?: Route;
}

interface Making {
  readonly engine: PipeEngine;
  readonly nest: Nest;
}

interface Exits {
  readonly next: string;
  readonly failed: string;
}

const BEGIN = "begin";
const FINISH = "finish";

/** Builds the graph of a whole pipe, from its input to its output. */
export function toGraph(engine: PipeEngine): OpenGraph {
  const { pipe } = engine;
  const state = Annotation.Root({ ...State.spec, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  graph
    .addNode(BEGIN, startRun(engine))
    .addEdge(START, BEGIN)
    .addEdge(BEGIN, findFirst(pipe, FINISH));
  addSteps(graph, { engine, pipe, end: FINISH, nest: createNest(engine) });
  return graph
    .addNode(FINISH, toNode(engine, { pipe, work: finishRun(engine) }))
    .addEdge(FINISH, END);
}

function createNest(engine: PipeEngine): Nest {
  const made = new Map<string, NestedGraph>();
  const nest: Nest = (step) => {
    const known = made.get(step.path) ?? toNested({ engine, nest }, step);
    made.set(step.path, known);
    return known;
  };
  return nest;
}

/** Builds the graph of a step. The result of the step follows from the graph's channels. */
function toNested(making: Making, step: PlacedNested | PlacedApart): NestedGraph {
  const { pipe } = step;
  const graph = new StateGraph(Annotation.Root(toChannels(pipe))) as unknown as OpenGraph;
  const first = findFirst(pipe, END);
  if (step.kind === "apart") {
    graph.addEdge(START, first);
  } else {
    const begin = toNode(making.engine, { pipe, work: beginNested(step) });
    graph.addNode(BEGIN, begin).addEdge(START, BEGIN);
    // A nested pipe that may not run has no next node.
    const route: Route = ({ run }) => ((run as StoredStep | null)?.type === "ended" ? [] : first);
    graph.addConditionalEdges(BEGIN, route, [first]);
  }
  addSteps(graph, { ...making, pipe, end: END });
  return showAsDrawn(graph.compile(), pipe);
}

const findFirst = ({ steps }: PlacedPipe, end: string) => steps[0]?.node ?? end;

function addSteps(
  graph: OpenGraph,
  { engine, pipe, end, nest }: Making & { readonly pipe: PlacedPipe; readonly end: string },
): void {
  for (const [index, step] of pipe.steps.entries()) {
    const next = pipe.steps[index + 1]?.node ?? end;
    const exits = { next, failed: pipe.continueOnError ? next : end };
    for (const spot of spotsOf(step, { ...exits, nest })) {
      const { name, work, subgraphs = [], to, route } = spot;
      graph.addNode(name, toNode(engine, { pipe, work }), { subgraphs });
      if (route) graph.addConditionalEdges(name, route, [...new Set(to)]);
      else for (const other of to) graph.addEdge(name, other);
    }
  }
}

/** Lists the nodes of a step. A group leads to its parts, and these lead to the node that joins them. */
function spotsOf(
  step: PlacedStep,
  { next, failed, nest }: Exits & { readonly nest: Nest },
): Spot[] {
  const route: Route = (state) => {
    const stored = readStep(state, step);
    return stored?.type === "ended" && stored.error === "" ? next : failed;
  };
  const toPart = (part: PlacedPart) => {
    const subgraphs = "pipe" in part ? [nest(part)] : [];
    return { name: part.node, work: runStep(part, nest), subgraphs };
  };
  const exits = [next, failed];
  if (!("join" in step)) {
    return [{ ...toPart(step), to: exits, route }];
  }
  const { node, join } = step;
  const parts = step.children.map(toPart);
  /** A group that may not begin has no parts to run. */
  const enter: Route = (state) =>
    readStep(state, step)?.type === "begun" ? parts.map(({ name }) => name) : join;
  return [
    {
      name: node,
      work: beginGroup(step),
      to: [...parts.map(({ name }) => name), join],
      route: enter,
    },
    ...parts.map((part) => ({ ...part, to: [join] })),
    { name: join, work: endGroup(step), to: exits, route },
  ];
}

/** Draws the edges of a graph as a person would: dotted if they follow a failure. */
export function showAsDrawn<Drawn extends Pick<NestedGraph, "getGraph" | "getGraphAsync">>(
  compiled: Drawn,
  { steps }: PlacedPipe,
): Drawn {
  const { getGraph, getGraphAsync } = compiled;
  // The node that follows each step, by the last node of the step.
  const exits = steps.map((step) => ("join" in step ? step.join : step.node));
  const following = new Map(steps.slice(1).map(({ node }, index) => [exits[index], node]));
  const tidy = (drawn: Graph): Graph => {
    drawn.edges = drawn.edges.map((edge) => {
      const { data: _, ...line } = edge;
      // Nodes of a subgraph in the drawing have ids that begin with the name of the subgraph's node.
      const [source = "", target = ""] = [edge.source, edge.target].map((id) => id.split(":")[0]);
      if (source === target) return edge;
      const next = following.get(source) ?? target;
      const data = next === target ? undefined : "failed";
      return { ...line, ...(data && { data }), conditional: data !== undefined };
    });
    return drawn;
  };
  return Object.assign(compiled, {
    getGraph: (config?: object) => tidy(getGraph.call(compiled, config)),
    getGraphAsync: async (config?: object) => tidy(await getGraphAsync.call(compiled, config)),
  });
}
