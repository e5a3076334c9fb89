import type { CompiledPipe, CompiledStep, CompiledToolStep } from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { expandItems } from "./pipe-items.ts";
import { byId, type PipeResult, type StepResult } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import { addStep, enterNested, type PipeScope } from "./pipe-scope.ts";
import { type RanSteps, runByData } from "./run-by-data.ts";
import { endToolStep, runToolStep } from "./run-tool-step.ts";
import { failureText, toStepResult } from "./step-result.ts";
import { beginStep, endStep, type Turn } from "./step-stage.ts";

interface PipeStart {
  readonly pipe: CompiledPipe;
  readonly scope: PipeScope;
}

/** What steps have come to, or that one of them waits for a person. */
type Outcome = Pick<PipeResult, "error" | "steps"> &
  Partial<PipeResult> & { readonly waits?: boolean };

/** Runs the steps of a pipe until they have ended, or until all that is left waits for a person. */
export async function runSteps(
  run: PipeRun,
  { pipe, scope }: PipeStart,
): Promise<PipeResult & Outcome> {
  const { waits, ...end } = pipe.sequence
    ? await runByData(run, { pipe, scope, runStep })
    : await runListed(run, { pipe, scope });
  if (waits) return { ok: false, error: "", result: null, steps: end.steps, waits };
  return concludePipe(pipe, { limits: run.limits, ...end });
}

async function runListed(run: PipeRun, { pipe, scope: start }: PipeStart): Promise<RanSteps> {
  let scope = start;
  const results: StepResult[] = [];
  let waits = false;
  for (const step of pipe.steps) {
    if (run.mayGoOn?.() === false && !run.journal?.has(step.path)) break;
    const result = await runStep(run, { step, scope });
    waits = result === undefined;
    if (!result) break;
    results.push(result);
    scope = addStep(scope, result);
    if (!result.ok && (!pipe.continueOnError || run.signal?.aborted)) break;
  }
  return { steps: byId(results), scope, waits };
}

/** What a step has come to; `undefined` where it, or one inside it, waits for a person. */
async function runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<StepResult | undefined> {
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
): Promise<Outcome> {
  if (step.kind === "pipe") {
    const entry = isItem ? { scope } : enterNested(step, { scope, limits: run.limits });
    if ("error" in entry) return { ...entry, steps: {} };
    return runSteps(run, { pipe: step.pipe, ...entry });
  }
  const turns =
    step.kind === "for_each"
      ? expandItems(run, { step, scope })
      : step.children.map((child) => ({ step: child, scope }));
  if (typeof turns === "string") return { error: turns, steps: {} };
  const ends = await Promise.all(turns.map((turn) => runStep(run, turn)));
  const steps = turns.map((turn) => turn.step);
  const ran = byId(ends.flatMap((end) => end ?? []));
  const results = byId(dropTooMuch(steps, { results: ran, scope, limits: run.limits }));
  return { steps: results, error: failureText(steps, results), waits: ends.includes(undefined) };
}
