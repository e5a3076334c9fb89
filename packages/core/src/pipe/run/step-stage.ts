import type { Hop } from "../../result/hop.ts";
import type { CompiledStep, PipeRun, StepBegun, StepEnded } from "../types.ts";
import { takeStep } from "./run-context.ts";

type StepPlace = Pick<CompiledStep, "path" | "kind">;

/** Begins a step and reports it. The step ends at once if no further step may begin. */
export function beginStep(run: PipeRun, step: StepPlace): StepBegun | StepEnded {
  const { path, kind } = step;
  const known = run.journal?.get(path);
  const startMs = known?.startMs ?? run.now();
  if (!known) {
    run.report?.({ type: "step", stage: "started", atMs: startMs, runId: run.pipeId, path, kind });
    run.journal?.set(path, { type: "begun", startMs });
  }
  const refusal = refuseStep(run);
  if (refusal === undefined) return { type: "begun", startMs };
  return endStep(run, { step, startMs, error: kind === "tool" ? refusal : `${path}: ${refusal}` });
}

/** Returns the reason if no further step may begin. */
function refuseStep(run: PipeRun): string | undefined {
  if (run.signal?.aborted) return "The pipe was aborted before this step started.";
  if (takeStep(run)) return undefined;
  return `The pipe has reached its limit of ${run.limits.maxSteps} steps, including hops (limits.maxSteps).`;
}

interface StepEnding extends Pick<StepEnded, "startMs" | "error" | "hops"> {
  readonly step: StepPlace;
  /** The calls to report, if they differ from the stored ones. */
  readonly calls?: readonly Hop[] | undefined;
}

/** Ends a step and reports it, with the calls of a tool step. A step that ended before the run waited is not changed. */
export function endStep(run: PipeRun, ending: StepEnding): StepEnded {
  const { step, startMs, error, hops, calls = hops } = ending;
  const known = run.journal?.get(step.path);
  if (known?.type === "ended") return known;
  const atMs = run.now();
  const elapsedMs = atMs - startMs;
  run.report?.({
    type: "step",
    stage: "ended",
    atMs,
    runId: run.pipeId,
    path: step.path,
    kind: step.kind,
    ok: error === "",
    elapsedMs,
    ...(calls && { callIds: calls.map(({ callId }) => callId) }),
  });
  const end: StepEnded = {
    type: "ended",
    startMs,
    elapsedMs,
    error,
    ...(hops && { hops }),
  };
  run.journal?.set(step.path, end);
  return end;
}
