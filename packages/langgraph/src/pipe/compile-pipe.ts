import {
  type BaseCheckpointSaver,
  type CompiledStateGraph,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { type Host, ToolrailError } from "@toolrail/core";
import { createOptionCheck, engineOf, notify } from "@toolrail/core/adapter";
import { canonicalJson, isJsonObject, sha256, shapeProblems } from "@toolrail/core/json";
import {
  advancePipe,
  type CompiledPipe,
  checkPipe,
  PARSE_OPTIONS,
  type ParsePipeOptions,
  type PipeResult,
  parsePipe,
  reportPipe,
} from "@toolrail/core/pipe";
import { z } from "zod";
import {
  BEGUN,
  findRecursionLimit,
  Input,
  Output,
  type PipeState,
  type Place,
  placeStep,
  State,
  type StoredRun,
  toChannels,
} from "./pipe-state.ts";
import {
  asOwnRun,
  type NestedGraph,
  notItsTurn,
  openRun,
  type PipeEngine,
  shareRun,
  toNode,
} from "./step-nodes.ts";

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
  name: "text",
});

function createEngine(host: Host, options: CompilePipeOptions): PipeEngine {
  const { toolCallId, key, onResult, spec, author, tools, limits } = options;
  const pipe = parsePipe(host, { spec, author, tools, limits });
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
  const { checkpointer, name } = options;
  const graph = toGraph(engine).compile({ checkpointer, name });
  const compiled = (graph as unknown as CompiledPipeGraph).withConfig({
    recursionLimit,
    durability: "sync",
  });
  const stream = compiled.stream.bind(compiled);
  // LangGraph's `invoke` calls `stream`.
  const methods: Pick<CompiledPipeGraph, "stream"> = {
    async stream(input, config) {
      checkInput(engine.pipe, input, config);
      return stream(input, asOwnRun(config ?? {}, recursionLimit) as typeof config);
    },
  };
  return Object.assign(compiled, methods);
}

const INPUT = /* @__PURE__ */ z.strictObject({ vars: z.record(z.string(), z.unknown()).nullish() });
const AROUND = /* @__PURE__ */ z.object({ vars: z.record(z.string(), z.unknown()) });

/** Throws for vars outside `vars`, which LangGraph would drop. The state of another graph may have other keys, but must have `vars`. */
function checkInput(pipe: CompiledPipe, input: unknown, config?: LangGraphRunnableConfig): void {
  const isInside = Boolean(config?.configurable?.checkpoint_ns);
  if (!isJsonObject(input) || (isInside && Object.keys(pipe.vars).length === 0)) return;
  const problems = shapeProblems(isInside ? AROUND : INPUT, input);
  if (problems.length === 0) return;
  const what = isInside ? "the state of the graph around it" : "its input";
  const defects = problems.map(({ path, message }) => `${path || "it"} ${message}`).join(", ");
  const message = `The pipe was not run. Of ${what}, which must be { vars }, ${defects}. { vars: {} } stands for the defaults.`;
  throw new ToolrailError("invalid-pipe", message, { data: { problems } });
}

/** The used part of `StateGraph`, for node names that the compiler does not know. */
interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(
    from: string,
    route: (state: PipeState) => string,
    to: readonly string[],
  ): OpenGraph;
  compile(options?: object): NestedGraph;
}

const BEGIN = "begin";
const FINISH = "finish";

/** Builds the graph of a whole pipe, from its input to its output. */
function toGraph(engine: PipeEngine): OpenGraph {
  const { pipe } = engine;
  const state = new StateSchema({ ...State.fields, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  graph.addNode(BEGIN, startRun(engine)).addEdge(START, BEGIN);
  graph.addEdge(BEGIN, addSteps(graph, { engine, pipe, end: FINISH }));
  return graph.addNode(FINISH, finishRun(engine)).addEdge(FINISH, END);
}

/** Clears the channels of an earlier run and begins a new one. Throws `invalid-pipe` for an unknown var. */
function startRun(engine: PipeEngine) {
  const { host, pipe } = engine;
  const cleared = Object.fromEntries(Object.keys(toChannels(pipe)).map((name) => [name, null]));
  return async ({ vars }: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const given = vars ?? {};
    const verdict = checkPipe(host, { spec: pipe, vars: given });
    if (!verdict.ok) throw verdict.error;
    const pipeId = runIdAt(config.configurable?.checkpoint_ns);
    const run = shareRun(engine, config, pipeId);
    reportPipe(run, { steps: pipe.stepCount });
    const stored = { pipeId, spec: engine.version, startMs: run.now(), given };
    return { ...cleared, vars: null, run: stored };
  };
}

/**
 * Derives the id of a run from the namespace of its first task: two workers that begin from one checkpoint make one
 * run. Inside another graph it comes from the task there, since each worker writes its own first checkpoint.
 */
function runIdAt(namespace: string): string {
  const [innermost = "", ...around] = namespace.split("|").reverse();
  const isInside = around.some((part) => part.includes(":"));
  return isInside ? sha256(around.join("|")) : innermost.slice(innermost.indexOf(":") + 1);
}

function finishRun(engine: PipeEngine) {
  const { host, pipe, onResult } = engine;
  return async (state: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { run, vars } = openRun(engine, pipe, { state, config });
    const { waits, ...end } = await advancePipe({ ...run, turns: new Set() }, { pipe, vars });
    if (waits) throw notItsTurn();
    const elapsedMs = run.now() - (state.run as StoredRun).startMs;
    reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs });
    await notify({ onResult }, end, engineOf(host));
    return { result_for_model: undefined, ...end };
  };
}

/** Builds the graph of a nested pipe, which begins the step that contains it. */
function toNested(engine: PipeEngine, pipe: CompiledPipe): NestedGraph {
  const graph = new StateGraph(new StateSchema(toChannels(pipe))) as unknown as OpenGraph;
  const begin = { pipe, channel: BEGUN, turns: [pipe.path] };
  graph.addNode(BEGIN, toNode(engine, begin)).addEdge(START, BEGIN);
  const first = addSteps(graph, { engine, pipe, end: END });
  connect(graph, { from: BEGIN, path: pipe.path, channel: BEGUN, next: first, end: END });
  return graph.compile();
}

interface Adding {
  readonly engine: PipeEngine;
  readonly pipe: CompiledPipe;
  /** The node after the last step, and after a failed one. */
  readonly end: string;
}

/**
 * Adds the nodes and edges of all steps, and returns the first node. A group leads to its parts, and these lead to the node that
 * joins them.
 */
function addSteps(graph: OpenGraph, { engine, pipe, end }: Adding): string {
  const add = (place: Place, name = place.node) => {
    const { step } = place;
    const inner = step.kind === "pipe" ? step.pipe : undefined;
    const nested = inner && { pipe: inner, graph: toNested(engine, inner) };
    const node = toNode(engine, { ...place, pipe, nested });
    graph.addNode(name, node, { subgraphs: nested ? [nested.graph] : [] });
  };
  const places = pipe.steps.map((step) => placeStep(step));
  for (const [index, place] of places.entries()) {
    const { step, node, join, channel, parts } = place;
    add(place);
    for (const part of parts) {
      add(part);
      graph.addEdge(node, part.node).addEdge(part.node, join);
    }
    if (parts.length > 0) add(place, join);
    const from = parts.length > 0 ? join : node;
    const next = places[index + 1]?.node ?? end;
    if (pipe.continueOnError) graph.addEdge(from, next);
    else connect(graph, { from, path: step.path, channel, next, end });
  }
  return places[0]?.node ?? end;
}

interface Connection {
  readonly from: string;
  /** The step before, and the channel in which it is stored. */
  readonly path: string;
  readonly channel: string;
  readonly next: string;
  readonly end: string;
}

/** Adds an edge from a step to the next node or, if the step has failed, to the end. */
function connect(graph: OpenGraph, { from, path, channel, next, end }: Connection): void {
  const hasFailed = (state: PipeState) => Boolean(Object(Object(state[channel])[path]).error);
  if (next === end) graph.addEdge(from, next);
  else graph.addConditionalEdges(from, (state) => (hasFailed(state) ? end : next), [next, end]);
}
