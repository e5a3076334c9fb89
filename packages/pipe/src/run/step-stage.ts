import type { Hop } from "@toolrail/core";
import { NO_FLOW } from "../spec/problems.ts";
import type { CompiledStep, PipeRun, StepBegun, StepEnded, Turn } from "../types.ts";
import { takeSteps } from "./run-context.ts";

interface Beginning extends Pick<Turn<CompiledStep>, "variables" | "isItem"> {
  readonly step: Pick<CompiledStep, "path" | "kind" | "when">;
}

/** Begins a step and reports it. The step ends at once if it is skipped, or if no further step may begin. */
export function beginStep(
  run: PipeRun,
  { step, variables, isItem = false }: Beginning,
): StepBegun | StepEnded {
  const { path, kind } = step;
  const known = run.journal?.get(path);
  const startMs = known?.startMs ?? run.now();
  if (!known) {
    run.report?.({ type: "step", stage: "started", atMs: startMs, runId: run.pipeId, path, kind });
    run.journal?.set(path, { type: "begun", startMs });
  }
  const isWanted =
    step.when === undefined || (variables.flow?.decideWhen(variables, step.when) ?? NO_FLOW);
  const refusal = refuseStep(run, isItem) ?? (typeof isWanted === "string" ? isWanted : undefined);
  if (refusal === undefined && isWanted) return { type: "begun", startMs };
  if (refusal === undefined) return endStep(run, { step, startMs, error: "", skipped: true });
  return endStep(run, { step, startMs, error: kind === "tool" ? refusal : `${path}: ${refusal}` });
}

/** Returns the reason if no further step may begin. */
function refuseStep(run: PipeRun, isCounted: boolean): string | undefined {
  if (run.signal?.aborted) return "The pipe was aborted before this step started.";
  if (isCounted || takeSteps(run)) return undefined;
  return `The pipe has reached its limit of ${run.limits.maxSteps} steps, including hops (limits.maxSteps).`;
}

interface StepEnding extends Pick<StepEnded, "startMs" | "error" | "hops" | "skipped"> {
  readonly step: Pick<CompiledStep, "path" | "kind">;
  /** The calls to report, if they differ from the stored ones. */
  readonly calls?: readonly Hop[] | undefined;
}

/** Ends a step and reports it, with the calls of a tool step. A step that ended before the run waited is not changed. */
export function endStep(run: PipeRun, ending: StepEnding): StepEnded {
  const { step, startMs, error, hops, skipped, calls = hops } = ending;
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
    ...(skipped && { skipped }),
  };
  run.journal?.set(step.path, end);
  return end;
}
