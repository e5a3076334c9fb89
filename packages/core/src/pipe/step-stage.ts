import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { CompiledStep } from "./compiled-pipe.ts";
import { type PipeRun, takeStep } from "./pipe-run.ts";

/** How far a step has come. Plain JSON, from which its result follows: an engine keeps this and nothing else. */
export type StepStage = StepBegun | StepWaiting | StepEnded;

export interface StepBegun {
  readonly type: "begun";
  /** Milliseconds since the epoch. */
  readonly startMs: number;
}

/** A tool step whose next call needs the approval of a person: see `chain.pending`. */
export interface StepWaiting {
  readonly type: "waiting";
  readonly startMs: number;
  readonly chain: ChainResult;
}

export interface StepEnded {
  readonly type: "ended";
  readonly startMs: number;
  readonly elapsedMs: number;
  /** Empty where all is well. */
  readonly error: string;
  /** Of a tool step: its calls, in order. */
  readonly hops?: readonly Hop[];
}

/** Begins a step and reports it; it has ended already where no further step may begin. */
export function beginStep(run: PipeRun, step: CompiledStep): StepBegun | StepEnded {
  const startMs = run.now();
  const { path, kind } = step;
  run.report?.({ type: "step", stage: "started", atMs: startMs, runId: run.pipeId, path, kind });
  const refusal = refuseStep(run);
  if (refusal === undefined) return { type: "begun", startMs };
  return endStep(run, { step, startMs, error: kind === "tool" ? refusal : `${path}: ${refusal}` });
}

/** Why no further step may begin. */
function refuseStep(run: PipeRun): string | undefined {
  if (run.signal?.aborted) return "The pipe was aborted before this step began.";
  if (takeStep(run)) return undefined;
  return `The pipe has made ${run.limits.maxSteps} steps, hops included, and may make no more (limits.maxSteps).`;
}

interface StepEnding extends Pick<StepEnded, "startMs" | "error" | "hops"> {
  readonly step: CompiledStep;
  /** The calls to report, where they are not those that are kept. */
  readonly calls?: readonly Hop[] | undefined;
}

/** Ends a step and reports it, with the calls of a tool step. */
export function endStep(run: PipeRun, ending: StepEnding): StepEnded {
  const { step, startMs, error, hops, calls = hops } = ending;
  const atMs = run.now();
  const elapsedMs = atMs - startMs;
  const callIds = calls?.map(({ callId }) => callId);
  run.report?.({
    type: "step",
    stage: "ended",
    atMs,
    runId: run.pipeId,
    path: step.path,
    kind: step.kind,
    ok: error === "",
    elapsedMs,
    ...(callIds && { callIds }),
  });
  return { type: "ended", startMs, elapsedMs, error, ...(hops && { hops }) };
}
