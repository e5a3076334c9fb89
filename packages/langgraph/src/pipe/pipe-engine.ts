import { type Host, ToolrailError } from "@toolrail/core";
import {
  createPipeRun,
  type Pipe,
  type PipeResult,
  type PipeRun,
  type StepResult,
  type Variables,
} from "@toolrail/core/pipe";
import { type PipeState, readStep, type StoredRun, type StoredStep } from "./pipe-state.ts";
import type { PlacedPart, PlacedPipe, PlacedStep } from "./place-steps.ts";

export interface PipeEngine {
  readonly host: Host;
  readonly pipe: Omit<Pipe, "steps"> & PlacedPipe;
  /** A hash of the spec, the same in every process. */
  readonly version: string;
  /** The options of each run. */
  readonly options: Parameters<typeof createPipeRun>[1];
  readonly onResult: ((result: PipeResult) => void | PromiseLike<void>) | undefined;
  /** The runs by id, for each control. LangGraph creates a new control for each invocation. */
  readonly runs: WeakMap<object, Map<string, SharedRun>>;
}

/** The parts that all nodes of one run share in this process, including nodes of nested pipes. */
export interface SharedRun {
  readonly run: PipeRun;
  /** The paths of pipes, nested ones included, whose earlier steps are counted. */
  readonly counted: Set<string>;
  /** The results that were read from the state, by the stored entry of their step. */
  readonly read: WeakMap<object, StepResult>;
}

export interface Reading {
  readonly pipe: PlacedPipe;
  readonly state: PipeState;
  readonly variables: Variables;
  readonly limits: PipeRun["limits"];
  readonly shared: SharedRun;
}

/** Throws `denied` if a thread began with another spec, whose results would be mistaken for those of this one. */
export async function checkVersion(
  engine: PipeEngine,
  run: StoredRun | null | undefined,
): Promise<void> {
  if (!run || run.spec === engine.version) return;
  const message =
    "The pipe was not continued: this thread began with another version of its spec. Continue with that version, " +
    "which another graph can serve, or start a new run.";
  throw new ToolrailError("denied", message);
}

/** Returns the run that its nodes share. After a restart, it continues the run in the state. */
export function shareRun(
  engine: PipeEngine,
  { control = engine, pipeId }: { control: object | undefined; pipeId?: string | undefined },
): SharedRun {
  const runs = engine.runs.get(control) ?? new Map<string, SharedRun>();
  engine.runs.set(control, runs);
  const known = pipeId === undefined ? undefined : runs.get(pipeId);
  if (known) return known;
  const run = createPipeRun(engine.host, { ...engine.options, pipeId });
  const shared: SharedRun = { run, counted: new Set(), read: new WeakMap() };
  runs.set(run.pipeId, shared);
  return shared;
}

/** Counts once the steps and calls that an earlier invocation, or another process, ran of a pipe. */
export function countEarlier(
  { counted, run: { spent } }: SharedRun,
  { pipe, state }: Pick<Reading, "pipe" | "state">,
): void {
  if (counted.has(pipe.path)) return;
  counted.add(pipe.path);
  const { steps, calls } = countStored(pipe.steps, state);
  // A nested pipe stores its own beginning.
  const { type } = (state.run ?? {}) as Partial<StoredStep>;
  spent.steps += steps + (type === "begun" ? 1 : 0);
  spent.calls += calls;
}

function countStored(
  all: readonly (PlacedStep | PlacedPart)[],
  state: PipeState,
): PipeRun["spent"] {
  const sum = { steps: 0, calls: 0 };
  const add = (inner: PipeRun["spent"]) => {
    sum.steps += inner.steps;
    sum.calls += inner.calls;
  };
  for (const step of all) {
    const stored = readStep(state, step);
    if (stored?.type === "begun") sum.steps++;
    if (step.kind === "parallel") add(countStored(step.children, state));
    if (stored?.type !== "ended") continue;
    const { hops = [], inner } = stored;
    if (step.kind !== "apart") sum.steps += Math.max(hops.length, 1);
    sum.calls += hops.length;
    if ("pipe" in step && inner) add(countStored(step.pipe.steps, inner));
  }
  return sum;
}
