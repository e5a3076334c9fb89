import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  type ChainResult,
  createPipeRun,
  type Host,
  isJsonObject,
  type Pipe,
  type PipeHost,
  type PipeLimits,
  type PipeRun,
  reportPipe,
  type StepResult,
  ToolrailError,
} from "@toolrail/core";
import { askPerson } from "./approval.ts";
import type { LargeValues } from "./large-values.ts";

/** What all nodes of one run share, nested ones included. */
export interface PipeContext {
  readonly run: PipeRun;
  readonly startMs: number;
  /** Groups that have begun, by their path. */
  readonly groups: Map<string, { readonly startMs: number; readonly refusal?: Error }>;
}

/** What all runs of one graph share. */
export interface PipeEngine {
  readonly pipe: Pipe;
  readonly host: Host;
  readonly limits: Partial<PipeLimits> | undefined;
  readonly toolCallId: string | undefined;
  readonly largeValues: LargeValues | undefined;
  readonly contexts: WeakMap<object, Map<string, PipeContext>>;
  /** Large results of each invocation that were stored or loaded already, by their keys. */
  readonly loaded: WeakMap<object, Map<string, StepResult>>;
}

const CONTEXT = "__toolrail_pipe";

/**
 * The context of a run: nested graphs are handed it, and the top level finds it by the run control,
 * which LangGraph makes anew for each invocation, and by its place in a bigger graph. After a restart
 * it is made again from the results that the checkpoint holds.
 */
export function contextOf(
  engine: PipeEngine,
  config: LangGraphRunnableConfig,
  results: () => readonly StepResult[],
): PipeContext {
  const handed: unknown = config.configurable?.[CONTEXT];
  if (handed !== undefined) return handed as PipeContext;
  const key = config.control ?? engine;
  const contexts = engine.contexts.get(key) ?? new Map<string, PipeContext>();
  engine.contexts.set(key, contexts);
  const place = placeOf(config);
  const context = contexts.get(place) ?? createContext(engine, results());
  contexts.set(place, context);
  return context;
}

/** Forgets a run that has ended, so that the same place may hold another. */
export function leaveContext(engine: PipeEngine, config: LangGraphRunnableConfig): void {
  engine.contexts.get(config.control ?? engine)?.delete(placeOf(config));
}

/** The namespace of the graph that the node is in: the node's own without its last part. */
function placeOf({ configurable }: LangGraphRunnableConfig): string {
  const namespace = String(configurable?.checkpoint_ns ?? "");
  return namespace.slice(0, Math.max(namespace.lastIndexOf("|"), 0));
}

function createContext(
  { pipe, host, limits, toolCallId }: PipeEngine,
  results: readonly StepResult[],
): PipeContext {
  const pipeId = results.flatMap(hopsOf).at(0)?.runId;
  const run = createPipeRun(host, { limits, author: pipe.author, pipeId, toolCallId });
  run.spent.steps = results.reduce((sum, result) => sum + countSteps(result), 0);
  run.spent.calls = results.flatMap(hopsOf).length;
  reportPipe(run, { steps: pipe.stepCount });
  return { run, startMs: host.now(), groups: new Map() };
}

function innerOf(result: StepResult): readonly StepResult[] {
  if (result.kind === "tool") return [];
  return Object.values(result.kind === "parallel" ? result.children : result.steps);
}

function hopsOf(result: StepResult): { readonly runId: string }[] {
  return result.kind === "tool" ? [...result.hops] : innerOf(result).flatMap(hopsOf);
}

function countSteps(result: StepResult): number {
  if (result.kind === "tool") return Math.max(result.hops.length, 1);
  return innerOf(result).reduce((sum, inner) => sum + countSteps(inner), 1);
}

/**
 * The config for a nested graph. A nested graph that finds `checkpoint_id` takes its finished tasks for
 * unfinished ones, and its own count of super-steps is not that of the graph around it.
 */
export function toNestedConfig(
  config: LangGraphRunnableConfig,
  context: PipeContext,
  recursionLimit: number,
): LangGraphRunnableConfig {
  const { checkpoint_id: _, ...configurable } = config.configurable ?? {};
  return { ...config, recursionLimit, configurable: { ...configurable, [CONTEXT]: context } };
}

/** The run as one node sees it: its own signal, its own writer, and a person to ask. */
export function runInNode(
  { host }: PipeEngine,
  { run }: PipeContext,
  config: LangGraphRunnableConfig,
  paused?: ChainResult,
): PipeRun {
  const port: PipeHost = {
    get tools() {
      return host.tools;
    },
    find: host.find,
    checkArguments: host.checkArguments,
    now: host.now,
    newId: host.newId,
    report(event) {
      host.report?.(event);
      if (event.type === "step") config.writer?.({ ...event, type: "toolrail-step" });
    },
    async run(request, options) {
      if (!paused) return pauseFor(await host.run(request, options));
      const decision = askPerson(host, paused.pending);
      if (decision) return pauseFor(await host.resume(paused, decision, options));
      const { server, tool } = paused.pending ?? {};
      const message = `${server}.${tool} needs the approval of a person, and this graph has no checkpointer to wait with.`;
      return { ...paused, error: new ToolrailError("needs-approval", message) };
    },
  };
  return { ...run, host: port, signal: config.signal };
}

/** A chain that waits for a person is kept first, so that no call of it is made again. */
function pauseFor(chain: ChainResult): ChainResult {
  if (chain.ended !== "needs-approval") return chain;
  throw new ToolrailError("needs-approval", "The pipe waits for a person.", { data: chain });
}

/** The chain that a node's error hands over, or `undefined` for any other error. */
export function pausedChain(error: unknown): ChainResult | undefined {
  if (!ToolrailError.isInstance(error) || error.code !== "needs-approval") return undefined;
  return isJsonObject(error.data) ? (error.data as unknown as ChainResult) : undefined;
}
