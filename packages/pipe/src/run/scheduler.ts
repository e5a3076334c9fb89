import { byId, failureText, toStepResult } from "../scope/results.ts";
import { addStep, enterNested } from "../scope/scope.ts";
import { NO_FLOW } from "../spec/problems.ts";
import type {
  CompiledPipe,
  CompiledStep,
  CompiledToolStep,
  PipeResult,
  PipeRun,
  PipeScope,
  StepResult,
  Turn,
} from "../types.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { beginStep, endStep } from "./step-stage.ts";
import { runToolStep } from "./tool-step.ts";

/** The result of a list of steps. `waits` is true if a step waits for a person. */
type StepsEnd = PipeResult & { readonly waits: boolean };

/**
 * Runs the steps of a pipe one after another. The first failure ends it, unless it goes on after errors; an abort ends
 * it with one step that says so. A step that waits for a person holds up those after it.
 */
export async function runSteps(
  run: PipeRun,
  { pipe, scope }: { readonly pipe: CompiledPipe; readonly scope: PipeScope },
): Promise<StepsEnd> {
  const steps: Record<string, StepResult> = {};
  let seen = scope;
  let isWell = true;
  for (const step of pipe.steps) {
    const result = await runStep(run, { step, scope: seen });
    if (!result) return { ok: false, error: "", result: null, steps, waits: true };
    steps[step.id] = result;
    seen = addStep(seen, result);
    isWell &&= result.ok;
    if (!isWell && (run.signal?.aborted || !pipe.continueOnError)) break;
  }
  return { ...concludePipe(pipe, { limits: run.limits, steps, scope: seen }), waits: false };
}

/** Runs a step to its end. Returns `undefined` if it, or one inside it, waits for a person. */
async function runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<StepResult | undefined> {
  const { step } = turn;
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { ...turn, step });
    return stage.type === "ended" ? toStepResult(step, stage) : undefined;
  }
  const begun = beginStep(run, turn);
  if (begun.type === "ended") return toStepResult(step, begun);
  const inner = await runInside(run, { ...turn, step });
  if (inner.waits) return undefined;
  const end = endStep(run, { ...begun, step, error: inner.error });
  return toStepResult(step, { ...end, inner });
}

/** Runs the steps inside a step that has begun. */
async function runInside(
  run: PipeRun,
  { step, scope, isItem }: Turn<Exclude<CompiledStep, CompiledToolStep>>,
): Promise<Pick<StepsEnd, "error"> & Partial<StepsEnd>> {
  if (step.kind === "pipe") {
    const entry = isItem ? { scope } : enterNested(step, { scope, limits: run.limits });
    return "error" in entry ? entry : runSteps(run, { pipe: step.pipe, ...entry });
  }
  const turns =
    step.kind === "for_each"
      ? (scope.flow?.expandItems(run, { step, scope }) ?? NO_FLOW)
      : step.children.map((child) => ({ step: child, scope }));
  if (typeof turns === "string") return { error: turns };
  const ends = await Promise.all(turns.map((turn) => runStep(run, turn)));
  const steps = turns.map((turn) => turn.step);
  const ran = byId(ends.flatMap((end) => end ?? []));
  const results = byId(dropTooMuch(steps, { results: ran, scope, limits: run.limits }));
  return { steps: results, error: failureText(steps, results), waits: ends.includes(undefined) };
}
