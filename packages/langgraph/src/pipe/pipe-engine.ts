import type { Hop, Host } from "@toolrail/core";
import { createPipeRun, type PipeRun } from "@toolrail/core/adapter";
import type { Pipe, PipeLimits, PipeResult, StepResult } from "@toolrail/core/pipe";
import { itemsAt, itemsOf, keptAt, type PipeState } from "./pipe-state.ts";
import { allSteps, type PlacedPipe, type PlacedStep } from "./place-steps.ts";

/** What all runs of one graph share. */
export interface PipeEngine {
  readonly host: Host;
  readonly pipe: Pipe & PlacedPipe;
  readonly version: Promise<string>;
  readonly limits: PipeLimits;
  readonly toolCallId: string | undefined;
  readonly place: string | undefined;
  readonly onResult: ((result: PipeResult) => void | PromiseLike<void>) | undefined;
  /** Runs by the control that LangGraph makes anew for each invocation, and by their ids. */
  readonly runs: WeakMap<object, Map<string, SharedRun>>;
}

/** What all nodes of one run share in this process, nested ones included. */
export interface SharedRun {
  readonly run: PipeRun;
  /** Paths of pipes, nested ones included, whose earlier steps are counted. */
  readonly counted: Set<string>;
  /** What was sealed in this process, or found to be. */
  readonly known: WeakSet<object>;
  /** Results that were read from the state, by what is kept of their steps. */
  readonly read: WeakMap<object, StepResult>;
  /** Hops whose results lie in the store, by what is kept of them. */
  readonly whole: WeakMap<object, Hop>;
}

/** Shares a run among its nodes: a new one, or after a restart the one that the state tells of. */
export function shareRun(
  engine: PipeEngine,
  { control = engine, pipeId }: { control: object | undefined; pipeId?: string | undefined },
): SharedRun {
  const { host, pipe, limits, toolCallId, place } = engine;
  const runs = engine.runs.get(control) ?? new Map<string, SharedRun>();
  engine.runs.set(control, runs);
  const known = pipeId === undefined ? undefined : runs.get(pipeId);
  if (known) return known;
  const { author } = pipe;
  const run = createPipeRun(host, { limits, author, pipeId, toolCallId, place, pauses: true });
  const counted = new Set<string>();
  const maps = { known: new WeakSet(), read: new WeakMap(), whole: new WeakMap() };
  const shared = { run, counted, ...maps };
  runs.set(run.pipeId, shared);
  return shared;
}

/** Counts once what an earlier invocation, or another process, has run of a pipe. */
export function countEarlier(
  { counted, run: { spent } }: SharedRun,
  { pipe, state }: { readonly pipe: PlacedPipe; readonly state: PipeState },
): void {
  if (counted.has(pipe.path)) return;
  counted.add(pipe.path);
  // The node of an item is handed what all others have counted.
  const { steps, calls } = state.spent ?? countKept(pipe.steps, state);
  spent.steps += steps;
  spent.calls += calls;
}

/** The steps and calls that stand in a state. */
export function countKept(steps: readonly PlacedStep[], state: PipeState): PipeRun["spent"] {
  const sum = { steps: 0, calls: 0 };
  const add = (inner: PipeRun["spent"]) => {
    sum.steps += inner.steps;
    sum.calls += inner.calls;
  };
  for (const step of allSteps(steps)) {
    const kept = keptAt(state, step);
    if (kept?.type === "begun" || kept?.type === "open") sum.steps++;
    if (kept?.type === "waiting") sum.steps += kept.chain.hops.length + 1;
    if (step.kind === "for_each") add(countKept(itemsOf(state, step), itemsAt(state, step)));
    if (kept?.type !== "ended") continue;
    const { hops = [], inner } = kept;
    sum.steps += Math.max(hops.length, 1);
    sum.calls += hops.length;
    if (step.kind === "pipe" && inner) add(countKept(step.pipe.steps, inner));
  }
  return sum;
}
