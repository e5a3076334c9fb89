import type {
  BaseCheckpointSaver,
  BaseStore,
  CompiledStateGraph,
  LangGraphRunnableConfig,
} from "@langchain/langgraph";
import { type Host, ToolrailError } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { canonicalJson, isJsonObject, sha256 } from "@toolrail/core/json";
import {
  PARSE_OPTIONS,
  type ParsePipeOptions,
  type PipeResult,
  parsePipe,
} from "@toolrail/core/pipe";
import { asOwnRun, type PipeEngine } from "./pipe-run.ts";
import type { Input, Output, State } from "./pipe-state.ts";
import { toGraph } from "./pipe-topology.ts";
import { findRecursionLimit, placeSteps } from "./place-steps.ts";

/** A graph that `compilePipe` returns. Invoke it with `{ vars }`. */
export type CompiledPipeGraph = CompiledStateGraph<
  typeof State.State,
  typeof State.Update,
  string,
  typeof Input,
  typeof Output
>;

/** The pipe of a graph, the listener of its runs, and LangGraph's options for `compile`. */
export interface CompilePipeOptions extends Omit<ParsePipeOptions, "vars"> {
  /** The id of the model's tool call that runs the pipe, for the events. Default: none. */
  readonly toolCallId?: string | undefined;
  /** The idempotency key of the run, as in `host.call`. Default: the id of the run. */
  readonly key?: string | undefined;
  /** Receives the result of each run once, when the run has ended. An error of it becomes one warning. */
  readonly onResult?: ((result: PipeResult) => void | PromiseLike<void>) | undefined;
  /** Saves the state of runs, so that they can wait and continue: see LangGraph's `compile`. Default: none. */
  readonly checkpointer?: BaseCheckpointSaver | boolean;
  /** LangGraph's store, for your own nodes. The pipe stores nothing there. Default: none. */
  readonly store?: BaseStore;
  /** The name of the graph in traces. Default: LangGraph's. */
  readonly name?: string;
}

const { vars: _, ...PARSING } = PARSE_OPTIONS;

const checkOptions = /* @__PURE__ */ createOptionCheck<CompilePipeOptions>("compilePipe", {
  ...PARSING,
  toolCallId: "text",
  key: "text",
  onResult: "function",
  checkpointer: ["object", "boolean"],
  store: "object",
  name: "text",
});

function createEngine(host: Host, options: CompilePipeOptions): PipeEngine {
  const { toolCallId, key, onResult, spec, author, tools, limits } = options;
  const pipe = placeSteps(parsePipe(host, { spec, author, tools, limits }));
  const run = { limits, author: pipe.author, toolCallId, key, pauses: true };
  const version = sha256(canonicalJson(pipe));
  return { host, pipe, version, options: run, onResult, runs: new WeakMap() };
}

/**
 * Compiles a pipe to a graph with a node and a channel for each step and with nested pipes as subgraphs. The graph
 * can run alone, as a node of a bigger graph, or inside a tool. Its input is `{ vars }`, and its output is a
 * `PipeResult`. Throws `invalid-pipe`, as `parsePipe` does. It sets its own recursion limit, whatever the limit of
 * the graph around it. It writes checkpoints with `durability: "sync"`, unless the config of the run sets another, so
 * that no finished step is lost if the process ends. To continue in another process, give the hosts of both the same
 * `secret`.
 */
export function compilePipe(host: Host, options: CompilePipeOptions): CompiledPipeGraph {
  checkOptions(options ?? null);
  const engine = createEngine(host, options);
  const recursionLimit = findRecursionLimit(engine.pipe);
  const { checkpointer, store, name } = options;
  const graph = toGraph(engine).compile({ checkpointer, store, name });
  const compiled = (graph as unknown as CompiledPipeGraph).withConfig({
    recursionLimit,
    durability: "sync",
  });
  const stream = compiled.stream.bind(compiled);
  // LangGraph's `invoke` calls `stream`.
  const methods: Pick<CompiledPipeGraph, "stream"> = {
    async stream(input, config) {
      checkInput(input, config);
      return stream(input, asOwnRun(config ?? {}, recursionLimit) as typeof config);
    },
  };
  return Object.assign(compiled, methods);
}

/** Throws for vars outside `vars`, which LangGraph would drop. Inside another graph the input may have other keys. */
function checkInput(input: unknown, config?: LangGraphRunnableConfig): void {
  if (!isJsonObject(input) || config?.configurable?.checkpoint_ns) return;
  const { vars, ...others } = input;
  const loose = Object.keys(others);
  const problems = loose.map((path) => ({ path, message: "put it inside vars: { vars: { … } }" }));
  const isObject = vars === undefined || vars === null || isJsonObject(vars);
  if (!isObject) problems.push({ path: "vars", message: "it must be an object" });
  if (problems.length === 0) return;
  const also = isObject ? `also has ${loose.join(", ")}` : "its vars are no object";
  const message = `The pipe was not run: its input must be { vars }, but ${also}.`;
  throw new ToolrailError("invalid-pipe", message, { data: { problems } });
}
