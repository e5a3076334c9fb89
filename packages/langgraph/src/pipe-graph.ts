import {
  type BaseCheckpointSaver,
  type BaseStore,
  type LangGraphRunnableConfig,
  StateGraph,
} from "@langchain/langgraph";
import { type Host, isPipe, type ParsePipeOptions, parsePipe } from "@toolrail/core";
import type { LargeValues } from "./large-values.ts";
import type { PipeEngine } from "./pipe-context.ts";
import { Input, Output, recursionLimitOf, State, toGraph } from "./pipe-topology.ts";

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
