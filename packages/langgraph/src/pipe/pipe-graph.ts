import { type BaseCheckpointSaver, type BaseStore, StateGraph } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { DEFAULT_PIPE_LIMITS, resolveLimits, topVars } from "@toolrail/core/adapter";
import { type ParsePipeOptions, type PipeResult, parsePipe } from "@toolrail/core/pipe";
import type { PipeEngine } from "./pipe-engine.ts";
import { asOwnRun } from "./pipe-node.ts";
import { outcomeOf } from "./pipe-results.ts";
import type { PipeState } from "./pipe-state.ts";
import { Input, Output, recursionLimitOf, State, toGraph } from "./pipe-topology.ts";
import { placeSteps } from "./place-steps.ts";

function typedGraph() {
  return new StateGraph({ state: State, input: Input, output: Output }).addNode("", () => ({}));
}

/** An uncompiled graph: `compile` it with a checkpointer, or add nodes of your own. */
export type PipeGraph = ReturnType<typeof typedGraph>;
export type CompiledPipeGraph = ReturnType<PipeGraph["compile"]>;

export interface PipeGraphOptions extends Omit<ParsePipeOptions, "vars"> {
  /** Where a model called for the pipe: the id of its tool call, for the events. */
  readonly toolCallId?: string | undefined;
  /** The place of the run, as `host.call` has it. Default: its own id. */
  readonly place?: string | undefined;
  /** Told of a run when it has ended, once. What it throws is ignored. */
  readonly onResult?: ((result: PipeResult) => void | PromiseLike<void>) | undefined;
}

/**
 * Makes a graph of a pipe, parsed or not: one node and one channel for each step, nested pipes as
 * subgraphs. Its input is `{ vars }`, its output that of the contract. Throws `invalid-pipe`, as
 * `parsePipe` does. Compile it with `compilePipe`, or give it a `recursionLimit` by hand.
 */
export function buildPipeGraph(host: Host, options: PipeGraphOptions): PipeGraph {
  return toGraph(createEngine(host, options)) as unknown as PipeGraph;
}

function createEngine(host: Host, options: PipeGraphOptions): PipeEngine {
  const { toolCallId, place, onResult } = options;
  const pipe = placeSteps(parsePipe(host, options));
  const limits = resolveLimits(DEFAULT_PIPE_LIMITS, options.limits);
  return { host, pipe, limits, toolCallId, place, onResult, runs: new WeakMap() };
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
  host: Host,
  { checkpointer, store, name, ...options }: CompilePipeOptions,
): CompiledPipeGraph {
  const engine = createEngine(host, options);
  const graph = toGraph(engine) as unknown as PipeGraph;
  const compiled = graph.compile({
    ...(checkpointer !== undefined && { checkpointer }),
    ...(store && { store }),
    ...(name !== undefined && { name }),
  });
  const limit = recursionLimitOf(engine.pipe);
  const invoke = compiled.invoke.bind(compiled);
  const stream = compiled.stream.bind(compiled);
  const toOwn = <Config>(config: Config) => asOwnRun(config ?? {}, limit) as Config;
  const own: Pick<CompiledPipeGraph, "invoke" | "stream"> = {
    stream: (input, config) => stream(input, toOwn(config)),
    async invoke(input, config) {
      const result = await invoke(input, config);
      if (result.steps || "__interrupt__" in result) return result;
      // It had ended before the process was lost, or before a pause of its turn.
      const { values, next } = await compiled.getState(toOwn(config) ?? {});
      if (next.length > 0) return result;
      return { result_for_model: undefined, ...readOutcome(engine, values) };
    },
  };
  return Object.assign(compiled, own);
}

/** What a run came to that has ended, by its state. */
function readOutcome({ pipe, limits }: PipeEngine, state: PipeState): PipeResult {
  return outcomeOf({ pipe, state, vars: topVars(pipe, state.given), limits, read: new WeakMap() });
}
