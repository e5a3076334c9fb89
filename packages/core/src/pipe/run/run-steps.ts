import type { CompiledGroup, CompiledNested, CompiledPipe, CompiledStep } from "../pipe.ts";
import { type PipeResult, type StepResult, toStepResult } from "../variables/results.ts";
import { addStep, enterNested, type Variables } from "../variables/variables.ts";
import { concludePipe, joinResults } from "./conclude-pipe.ts";
import type { PipeRun } from "./pipe-run.ts";
import { beginStep, endStep, runToolStep, type Turn } from "./tool-step.ts";

/** The result of a list of steps. `waits` is true if a step waits for a person. */
type StepsEnd = PipeResult & { readonly waits: boolean };

/**
 * Runs the steps of a pipe one after another. The first failure ends the pipe, unless it continues after errors. An abort ends
 * it with one step that reports the abort. A step that waits for a person holds up the later steps.
 */
export async function runSteps(
  run: PipeRun,
  { pipe, variables }: { readonly pipe: CompiledPipe; readonly variables: Variables },
): Promise<StepsEnd> {
  const steps: Record<string, StepResult> = {};
  let seen = variables;
  let isWell = true;
  for (const step of pipe.steps) {
    const result = await runStep(run, { step, variables: seen });
    if (!result) return { ok: false, error: "", result: null, steps, waits: true };
    steps[step.id] = result;
    seen = addStep(seen, result);
    isWell &&= result.ok;
    if (!isWell && (run.signal?.aborted || !pipe.continueOnError)) break;
  }
  return { ...concludePipe(pipe, { limits: run.limits, steps, variables: seen }), waits: false };
}

/** Runs a step to its end. Returns `undefined` if it, or a step inside it, waits for a person. */
async function runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<StepResult | undefined> {
  const { step } = turn;
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { ...turn, step });
    return stage.type === "ended" ? toStepResult(step, stage) : undefined;
  }
  const begun = beginStep(run, step);
  if (begun.type === "ended") return toStepResult(step, begun);
  const inner = await runInside(run, { ...turn, step });
  if (inner.waits) return undefined;
  const end = endStep(run, { ...begun, step, error: inner.error });
  return toStepResult(step, { ...end, inner });
}

async function runInside(
  run: PipeRun,
  { step, variables }: Turn<CompiledGroup | CompiledNested>,
): Promise<Pick<StepsEnd, "error"> & Partial<StepsEnd>> {
  const { limits } = run;
  if (step.kind === "pipe") {
    const entry = enterNested(step, { variables, limits });
    return "error" in entry ? entry : runSteps(run, { pipe: step.pipe, ...entry });
  }
  const { children } = step;
  const ends = await Promise.all(children.map((child) => runStep(run, { step: child, variables })));
  const results = ends.flatMap((end) => end ?? []);
  return {
    ...joinResults(children, { results, variables, limits }),
    waits: ends.includes(undefined),
  };
}
