import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  createPipeRun,
  type Host,
  type Pipe,
  type PipeLimits,
  type PipePlan,
  type PipeRun,
  reportPipe,
  type StepPlan,
  type StepResult,
} from "@toolrail/core";
import type { LargeValueStore } from "./large-values.ts";
import { keptAt, type PipeState, type PlacedPipe } from "./pipe-state.ts";

/** What all nodes of one run share, nested ones included. */
export interface PipeContext {
  readonly run: PipeRun;
  readonly startMs: number;
  /** Groups that have begun in this process. */
  readonly groups: Map<StepPlan, { readonly startMs: number; readonly refusal: Error | undefined }>;
  /** Pipes, nested ones included, whose earlier steps are counted. */
  readonly entered: Set<PipePlan>;
}

/** What all runs of one graph share. */
export interface PipeEngine extends LargeValueStore {
  readonly pipe: Pipe;
  readonly host: Host;
  readonly limits: Partial<PipeLimits> | undefined;
  readonly toolCallId: string | undefined;
  readonly contexts: WeakMap<object, Map<string, PipeContext>>;
}

const CONTEXT = "__toolrail_pipe";

/** Begins a run, or a nested pipe of one. Returns what the top level must keep for a restart. */
export function beginContext(
  engine: PipeEngine,
  { plan }: PlacedPipe,
  config: LangGraphRunnableConfig,
): PipeState["run"] {
  const handed = handedContext(config);
  const context = handed ?? createContext(engine);
  context.entered.add(plan);
  if (handed) return undefined;
  setContext(engine, config, context);
  reportPipe(context.run, { steps: engine.pipe.stepCount });
  return { pipeId: context.run.pipeId, startMs: context.startMs };
}

/**
 * The context of a run: nested graphs are handed it, and the top level finds it by the run control,
 * which LangGraph makes anew for each invocation, and by its place in a bigger graph. After a restart
 * it is made again, and the steps that the checkpoints hold are counted.
 */
export function contextOf(
  engine: PipeEngine,
  pipe: PlacedPipe,
  state: PipeState,
  config: LangGraphRunnableConfig,
): PipeContext {
  let context =
    handedContext(config) ?? engine.contexts.get(keyOf(engine, config))?.get(placeOf(config));
  if (!context) {
    context = createContext(engine, state.run);
    setContext(engine, config, context);
  }
  if (!context.entered.has(pipe.plan)) countEarlier(context, pipe, state);
  return context;
}

function handedContext({ configurable }: LangGraphRunnableConfig): PipeContext | undefined {
  return configurable?.[CONTEXT] as PipeContext | undefined;
}

function keyOf(engine: PipeEngine, { control }: LangGraphRunnableConfig): object {
  return control ?? engine;
}

function setContext(
  engine: PipeEngine,
  config: LangGraphRunnableConfig,
  context: PipeContext,
): void {
  const key = keyOf(engine, config);
  const contexts = engine.contexts.get(key) ?? new Map<string, PipeContext>();
  engine.contexts.set(key, contexts.set(placeOf(config), context));
}

/** Forgets a run that has ended, so that the same place may hold another. */
export function leaveContext(engine: PipeEngine, config: LangGraphRunnableConfig): void {
  engine.contexts.get(keyOf(engine, config))?.delete(placeOf(config));
}

/** The namespace of the graph that the node is in: the node's own without its last part. */
function placeOf({ configurable }: LangGraphRunnableConfig): string {
  const namespace = String(configurable?.checkpoint_ns ?? "");
  return namespace.slice(0, Math.max(namespace.lastIndexOf("|"), 0));
}

function createContext(
  { pipe, host, limits, toolCallId }: PipeEngine,
  { pipeId, startMs = host.now() }: Partial<NonNullable<PipeState["run"]>> = {},
): PipeContext {
  const run = createPipeRun(host, { limits, author: pipe.author, pipeId, toolCallId });
  return { run, startMs, groups: new Map(), entered: new Set() };
}

/** Counts what an earlier invocation, or another process, has run of a pipe. */
function countEarlier(
  { run: { spent }, entered }: PipeContext,
  { plan, placed }: PlacedPipe,
  state: PipeState,
): void {
  entered.add(plan);
  for (const place of placed) {
    const kept = keptAt(state, place);
    if (kept?.type === "paused") spent.steps += kept.chain.hops.length;
    if (kept?.type !== "result") continue;
    // The children of a group have channels of their own.
    if (kept.result.kind === "parallel") spent.steps++;
    else countResult(spent, kept.result);
  }
}

function countResult(spent: PipeRun["spent"], result: StepResult): void {
  if (result.kind !== "tool") {
    spent.steps++;
    const inner = result.kind === "parallel" ? result.children : result.steps;
    for (const step of Object.values(inner)) countResult(spent, step);
    return;
  }
  const { hops } = result;
  spent.steps += Math.max(hops.length, 1);
  spent.calls += hops.length;
  spent.bytes += JSON.stringify(hops.map((hop) => hop.result)).length;
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
