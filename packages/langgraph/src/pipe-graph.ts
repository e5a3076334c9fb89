import {
  Annotation,
  type BaseCheckpointSaver,
  type BaseStore,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
  UntrackedValueChannel,
} from "@langchain/langgraph";
import {
  type Host,
  isPipe,
  type JsonObject,
  type ParsePipeOptions,
  type PipePlan,
  type PipeResult,
  parsePipe,
} from "@toolrail/core";
import { keepingLarge, type LargeValues } from "./large-values.ts";
import type { PipeEngine } from "./pipe-context.ts";
import { type PlacedStep, placeSteps } from "./pipe-names.ts";
import {
  finishNode,
  isOver,
  joinNode,
  keptAt,
  type NestedGraph,
  nestedNode,
  type PipeState,
  type PlacedPipe,
  toolNode,
} from "./pipe-nodes.ts";

/** What a pipe's graph takes and gives: `vars` in, the output of the contract out. */
const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: Annotation<unknown>,
  steps: Annotation<PipeResult["steps"]>,
});
const Input = Annotation.Root({ vars: Annotation<JsonObject | undefined> });
const State = Annotation.Root({ ...Input.spec, ...Output.spec });

function typedGraph() {
  return new StateGraph({ state: State, input: Input, output: Output }).addNode("", () => ({}));
}

/** An uncompiled graph: `compile` it with a checkpointer, or add nodes of your own. */
export type PipeGraph = ReturnType<typeof typedGraph>;
export type CompiledPipe = ReturnType<PipeGraph["compile"]>;

export interface PipeGraphOptions extends ParsePipeOptions {
  /** Keeps large results out of checkpoints: they hold a key in their place. */
  readonly largeValues?: LargeValues;
  /** Where a model called for the pipe: the id of its tool call, for the events. */
  readonly toolCallId?: string;
}

/**
 * Makes a graph of a pipe, parsed or not: one node and one channel for each step, nested pipes as
 * subgraphs. Its input is `{ vars }`, its output that of the contract. Throws `invalid-pipe`, as
 * `parsePipe` does. Compile it with `compilePipe`, or give it a `recursionLimit` by hand.
 */
export function buildPipeGraph(
  spec: unknown,
  host: Host,
  options: PipeGraphOptions = {},
): PipeGraph {
  const { author, limits, toolCallId, largeValues } = options;
  const parsing = { ...(author && { author }), ...(limits && { limits }) };
  const pipe = isPipe(spec) ? spec : parsePipe(spec, host, parsing);
  const engine: PipeEngine = {
    pipe,
    host,
    limits,
    toolCallId,
    largeValues,
    contexts: new WeakMap(),
    loaded: new WeakMap(),
  };
  return toGraph(engine, pipe.plan) as unknown as PipeGraph;
}

export interface CompilePipeOptions extends PipeGraphOptions {
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  readonly store?: BaseStore;
  readonly name?: string;
}

/**
 * Compiles the graph of a pipe, to run alone, as a node of a bigger graph, or inside a tool. It brings
 * its own recursion limit, whatever that of the graph around it. With a checkpointer that others can
 * reach, invoke it with `durability: "sync"`: then no finished step is lost when the process is.
 */
export function compilePipe(
  spec: unknown,
  host: Host,
  { checkpointer, store, name, ...options }: CompilePipeOptions = {},
): CompiledPipe {
  const graph = buildPipeGraph(spec, host, options);
  const compiled = graph.compile({
    ...(checkpointer !== undefined && { checkpointer }),
    ...(store && { store }),
    ...(name !== undefined && { name }),
  });
  const limit = recursionLimitOf(Object.keys(graph.nodes).length);
  const stream = compiled.stream.bind(compiled);
  const withLimit: typeof stream = (input, config) =>
    stream(input, asOwnRun(config as LangGraphRunnableConfig, limit) as typeof config);
  return Object.defineProperty(compiled, "stream", { value: withLimit });
}

/**
 * A pipe in a bigger graph is given that graph's recursion limit, and a `checkpoint_id` without a value,
 * which makes it run finished steps again when it is resumed.
 */
function asOwnRun(config: LangGraphRunnableConfig = {}, limit: number): LangGraphRunnableConfig {
  const { recursionLimit = 0, configurable } = config;
  const own = { ...config, recursionLimit: Math.max(recursionLimit, limit) };
  if (configurable?.checkpoint_id !== undefined || !configurable) return own;
  const { checkpoint_id: _, ...rest } = configurable;
  return { ...own, configurable: rest };
}

/** Super-steps of one pipe, with room for every step to wait for a person several times. */
function recursionLimitOf(nodes: number): number {
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

const FINISH = "finish";

function toGraph(engine: PipeEngine, plan: PipePlan): OpenGraph {
  const placed = placeSteps(plan);
  const pipe: PlacedPipe = { plan, placed };
  const channels = Object.fromEntries(
    placed.map(({ channel }) => [channel, Annotation<unknown>] as const),
  );
  // The steps are in channels of their own: a copy in the output need not be kept.
  const steps = new UntrackedValueChannel<PipeResult["steps"]>({ guard: false });
  const result = new UntrackedValueChannel<unknown>({ guard: false });
  const untracked = engine.largeValues ? { steps, result } : { steps };
  const state = Annotation.Root({ ...State.spec, ...channels, ...untracked });
  const output = Annotation.Root({ ...Output.spec, ...untracked });
  const graph = new StateGraph({ state, input: Input, output }) as unknown as OpenGraph;
  for (const place of placed) addStep(engine, graph, pipe, place);
  graph.addNode(FINISH, keepingLarge(engine, finishNode(engine, pipe))).addEdge(FINISH, END);
  const tops = placed.filter(({ groups }) => groups.length === 0);
  for (const node of entriesOf(pipe, tops[0])) graph.addEdge(START, node);
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
