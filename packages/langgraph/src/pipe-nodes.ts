import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  beginStep,
  type ChainResult,
  concludePipe,
  endGroup,
  endNested,
  enterNested,
  type JsonObject,
  type NestedPlan,
  type PipePlan,
  type PipeResult,
  type PipeScope,
  refuseStep,
  reportPipe,
  runToolStep,
  type StepResult,
  ToolrailError,
  topVars,
} from "@toolrail/core";
import {
  contextOf,
  leaveContext,
  type PipeContext,
  type PipeEngine,
  pausedChain,
  runInNode,
  toNestedConfig,
} from "./pipe-context.ts";
import type { PlacedStep } from "./pipe-names.ts";

/** The state of one pipe's graph: `vars`, the output, and a channel for each step. */
export type PipeState = { readonly [channel: string]: unknown };

/** What the channel of a step holds: a result, a chain that waits for a person, or the mark of a step left out. */
export type Kept =
  | { readonly type: "result"; readonly ok: boolean; readonly result: StepResult }
  /** A large result, kept elsewhere under a key. */
  | { readonly type: "stored"; readonly ok: boolean; readonly key: string }
  | { readonly type: "paused"; readonly chain: ChainResult }
  | { readonly type: "skipped" };

export type Node = (state: PipeState, config: LangGraphRunnableConfig) => Promise<PipeState>;

/** A nested pipe's graph, compiled. */
export interface NestedGraph {
  invoke(input: { vars: JsonObject }, config: LangGraphRunnableConfig): Promise<object>;
}

/** The steps of one pipe where they stand. */
export interface PlacedPipe {
  readonly plan: PipePlan;
  readonly placed: readonly PlacedStep[];
}

export function keptAt(state: PipeState, { channel }: PlacedStep): Kept | undefined {
  return state[channel] as Kept | undefined;
}

function keep({ channel }: PlacedStep, result: StepResult): PipeState {
  return { [channel]: { type: "result", ok: result.ok, result } satisfies Kept };
}

function resultAt(state: PipeState, place: PlacedStep): StepResult | undefined {
  const kept = keptAt(state, place);
  return kept?.type === "result" ? kept.result : undefined;
}

/** What a node sees: the results of the steps of its list, up to its own. */
function scopeOf({ plan, placed }: PlacedPipe, state: PipeState, before?: PlacedStep): PipeScope {
  const given = state.vars as JsonObject | undefined;
  const scope: PipeScope = {
    vars: plan.path === "" ? topVars(plan, given) : (given ?? {}),
    steps: {},
  };
  const top = before?.groups[0] ?? before;
  for (const place of placed) {
    if (place === top) break;
    const result = place.groups.length === 0 ? resultAt(state, place) : undefined;
    if (!result) continue;
    scope.steps[place.step.id] = result;
    scope.last = result;
  }
  return scope;
}

function enter(
  engine: PipeEngine,
  { placed }: PlacedPipe,
  state: PipeState,
  config: LangGraphRunnableConfig,
): PipeContext {
  return contextOf(engine, config, () => placed.flatMap((place) => resultAt(state, place) ?? []));
}

/** Begins the groups around a step that have not begun. True where one of them may not run. */
function isRefused(context: PipeContext, place: PlacedStep, run: PipeContext["run"]): boolean {
  for (const { step } of place.groups) {
    let begun = context.groups.get(step.path);
    if (!begun) {
      const startMs = beginStep(run, step);
      const refusal = refuseStep(run);
      begun = refusal ? { startMs, refusal } : { startMs };
      context.groups.set(step.path, begun);
    }
    if (begun.refusal) return true;
  }
  return false;
}

export function toolNode(engine: PipeEngine, pipe: PlacedPipe, place: PlacedStep): Node {
  const { step } = place;
  return async (state, config) => {
    if (step.kind !== "tool") return {};
    const context = enter(engine, pipe, state, config);
    const kept = keptAt(state, place);
    const paused = kept?.type === "paused" ? kept.chain : undefined;
    const run = runInNode(engine, context, config, paused);
    if (isRefused(context, place, run)) return skip(place);
    try {
      const result = await runToolStep(run, step, scopeOf(pipe, state, place));
      config.signal?.throwIfAborted();
      return keep(place, result);
    } catch (error) {
      const chain = pausedChain(error);
      if (!chain) throw error;
      run.spent.steps--;
      const { error: _, ...plain } = chain;
      return { [place.channel]: { type: "paused", chain: plain } satisfies Kept };
    }
  };
}

function skip({ channel }: PlacedStep): PipeState {
  return { [channel]: { type: "skipped" } satisfies Kept };
}

export function nestedNode(
  engine: PipeEngine,
  pipe: PlacedPipe,
  place: PlacedStep,
  { graph, recursionLimit }: { graph: NestedGraph; recursionLimit: number },
): Node {
  const step = place.step as NestedPlan;
  return async (state, config) => {
    const context = enter(engine, pipe, state, config);
    const run = runInNode(engine, context, config);
    if (isRefused(context, place, run)) return skip(place);
    const startMs = beginStep(run, step);
    const refusal = refuseStep(run);
    if (refusal) {
      const error = `${step.path}: ${refusal.message}`;
      return keep(place, endNested(run, step, startMs, { error }));
    }
    const entry = enterNested(run, step, scopeOf(pipe, state, place));
    if ("error" in entry) return keep(place, endNested(run, step, startMs, entry));
    const nested = toNestedConfig(config, context, recursionLimit);
    const result = await graph.invoke({ vars: entry.vars }, nested);
    if (!isPipeResult(result)) {
      const message = `The nested pipe ${step.path} ended without a result.`;
      throw new ToolrailError("callback-failed", message);
    }
    return keep(place, endNested(run, step, startMs, result));
  };
}

function isPipeResult(value: object): value is PipeResult {
  return "ok" in value && "steps" in value;
}

/** Waits for all children, however many super-steps they take, and makes the group's result of theirs. */
export function joinNode(
  engine: PipeEngine,
  pipe: PlacedPipe,
  place: PlacedStep,
  children: readonly PlacedStep[],
): Node {
  const { step } = place;
  return async (state, config) => {
    if (step.kind !== "parallel" || !children.every((child) => isOver(state, child))) return {};
    const context = enter(engine, pipe, state, config);
    const run = runInNode(engine, context, config);
    const begun = context.groups.get(step.path);
    const isLeftOut = place.groups.some((group) => context.groups.get(group.step.path)?.refusal);
    if (isLeftOut) return skip(place);
    const results = children.flatMap((child) => resultAt(state, child) ?? []);
    const firstMs = Math.min(...results.map((result) => Date.parse(result.started_at)));
    const byId = Object.fromEntries(results.map((result) => [result.id, result]));
    return keep(place, endGroup(run, step, begun?.startMs ?? firstMs, byId, begun?.refusal));
  };
}

/** True for a step that will not run again. */
export function isOver(state: PipeState, place: PlacedStep): boolean {
  const kept = keptAt(state, place);
  return kept !== undefined && kept.type !== "paused";
}

export function finishNode(engine: PipeEngine, pipe: PlacedPipe): Node {
  return async (state, config) => {
    const context = enter(engine, pipe, state, config);
    const run = runInNode(engine, context, config);
    const scope = scopeOf(pipe, state);
    const end = concludePipe(run, pipe.plan, scope);
    if (pipe.plan.path === "") {
      const elapsedMs = engine.host.now() - context.startMs;
      reportPipe(run, { steps: engine.pipe.stepCount, ok: end.ok, elapsedMs });
      leaveContext(engine, config);
    }
    return { ...end, steps: scope.steps };
  };
}
