import type { CompiledStep, CompiledToolStep } from "./compiled-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { expandItems } from "./pipe-items.ts";
import { byId, type StepResult } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import { enterNested } from "./pipe-scope.ts";
import { runSteps, type StepsEnd } from "./run-steps.ts";
import { endToolStep, runToolStep } from "./run-tool-step.ts";
import { failureText, toStepResult } from "./step-result.ts";
import { beginStep, endStep, type Turn } from "./step-stage.ts";

/** Runs a step to its end; `undefined` where it, or one inside it, waits for a person. */
export async function runStep(
  run: PipeRun,
  turn: Turn<CompiledStep>,
): Promise<StepResult | undefined> {
  const { step, scope } = turn;
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { ...turn, step });
    if (stage.type === "ended") return toStepResult(step, stage);
    return run.journal
      ? undefined
      : toStepResult(step, endToolStep(run, { ...stage, step, scope }));
  }
  const begun = beginStep(run, turn);
  if (begun.type === "ended") return toStepResult(step, begun);
  const inner = await runInside(run, { ...turn, step });
  if (inner.waits) return undefined;
  const end = endStep(run, { ...begun, step, error: inner.error });
  return toStepResult(step, { ...end, inner });
}

/** Runs what is in a step that has begun. */
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
      ? expandItems(run, { step, scope })
      : step.children.map((child) => ({ step: child, scope }));
  if (typeof turns === "string") return { error: turns };
  const ends = await Promise.all(turns.map((turn) => runStep(run, turn)));
  const steps = turns.map((turn) => turn.step);
  const ran = byId(ends.flatMap((end) => end ?? []));
  const results = byId(dropTooMuch(steps, { results: ran, scope, limits: run.limits }));
  return { steps: results, error: failureText(steps, results), waits: ends.includes(undefined) };
}
