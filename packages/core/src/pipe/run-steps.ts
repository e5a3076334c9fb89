import {
  type CompiledPipe,
  type CompiledStep,
  type CompiledToolStep,
  inSequence,
} from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { expandItems } from "./pipe-items.ts";
import { byId, type PipeResult, type StepResult } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import { addStep, addSteps, enterNested, type PipeScope } from "./pipe-scope.ts";
import { runToolStep } from "./run-tool-step.ts";
import { failureText, toStepResult } from "./step-result.ts";
import { beginStep, endStep, type Turn } from "./step-stage.ts";

/** What a list of steps has come to; `waits` where one of them waits for a person, and all others have gone as far as they can. */
type StepsEnd = PipeResult & { readonly waits: boolean };

/**
 * Runs each step of a pipe as soon as those that it needs are over: listed steps need the one before them. After a
 * failure only steps before it in the sequence begin, so that the first failure in that order is the same in each run;
 * those that run go on to their end. A step that waits for a person holds up those that need it.
 */
export async function runSteps(
  run: PipeRun,
  { pipe, scope }: { readonly pipe: CompiledPipe; readonly scope: PipeScope },
): Promise<StepsEnd> {
  const { limits } = run;
  const earlier = new Set(run.journal?.keys());
  const inPlace: PipeRun = { ...run, inSlot: (call) => call() };
  const results: Record<string, StepResult> = {};
  let seen = scope;
  let failedAt = Number.POSITIVE_INFINITY;
  let waits = false;
  const mayGoOn = (at: number) =>
    run.mayGoOn?.() !== false && (pipe.continueOnError || at < failedAt);
  const mayBegin = ({ path }: CompiledStep, at: number) => {
    if (run.signal?.aborted) return failedAt === Number.POSITIVE_INFINITY; // One step more says so.
    return earlier.has(path) || mayGoOn(at); // It may have begun before the run waited.
  };
  const begin = async (step: CompiledStep, at: number) => {
    if (!mayBegin(step, at)) return;
    const inner = step.kind === "tool" ? inPlace : { ...run, mayGoOn: () => mayGoOn(at) };
    // A listed step sees all before it.
    const own = pipe.sequence ? addSteps(scope, { pipe, results, ids: step.needs }) : seen;
    const result = await runStep(inner, { step, scope: own });
    if (!result) {
      waits = true;
      return;
    }
    results[step.id] = result;
    if (!pipe.sequence) seen = addStep(seen, result);
    if (!result.ok) failedAt = Math.min(failedAt, at);
  };
  const ends: Record<string, Promise<void>> = {};
  const runWhenReady = async (step: CompiledStep, at: number) => {
    for (const id of step.needs) await ends[id];
    if (!step.needs.every((id) => Object.hasOwn(results, id))) return;
    // A call looks again when it has its place, and a failure is noted before the next one gets it.
    await (step.kind === "tool" ? run.inSlot(() => begin(step, at)) : begin(step, at));
  };
  for (const [at, step] of inSequence(pipe).entries()) ends[step.id] = runWhenReady(step, at);
  await Promise.all(Object.values(ends));
  // What listed steps brought was weighed step by step.
  const kept = pipe.sequence ? byId(dropTooMuch(pipe.steps, { results, scope, limits })) : results;
  if (waits) return { ok: false, error: "", result: null, steps: kept, waits };
  const after = pipe.sequence ? addSteps(scope, { pipe, results: kept }) : seen;
  return { ...concludePipe(pipe, { limits, steps: kept, scope: after }), waits };
}

/** Runs a step to its end; `undefined` where it, or one inside it, waits for a person. */
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
