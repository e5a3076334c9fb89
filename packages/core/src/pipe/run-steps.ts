import { type CompiledPipe, type CompiledStep, inSequence } from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { byId, type PipeResult, type StepResult } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import { addSteps, type PipeScope } from "./pipe-scope.ts";
import { runStep } from "./run-step.ts";
import type { Slots } from "./slots.ts";

/** What a list of steps has come to; `waits` where one of them waits for a person, and all others have gone as far as they can. */
export type StepsEnd = PipeResult & { readonly waits: boolean };

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
  const steps = inSequence(pipe);
  const earlier = new Set(run.journal?.keys());
  const begun = new Set<CompiledStep>();
  const results: Record<string, StepResult> = {};
  let failedAt = Number.POSITIVE_INFINITY;
  let waits = false;
  const mayBegin = (at: number) => {
    if (run.signal?.aborted) return failedAt === Number.POSITIVE_INFINITY; // One step more says so.
    if (earlier.has(steps[at]?.path ?? "")) return true; // It began before the run waited.
    return run.mayGoOn?.() !== false && (pipe.continueOnError || at < failedAt);
  };
  const runAt = async (step: CompiledStep, { at, inSlot }: { at: number; inSlot: Slots }) => {
    const ids = pipe.sequence && step.needs; // A listed step sees all before it.
    const seen = addSteps(scope, { pipe, results, ids });
    const own = { ...run, inSlot, mayGoOn: () => mayBegin(at) };
    const result = await runStep(own, { step, scope: seen });
    if (result) results[step.id] = result;
    else waits = true;
    if (result?.ok === false) failedAt = Math.min(failedAt, at);
  };
  const begin = async (step: CompiledStep, at: number): Promise<void> => {
    begun.add(step);
    // A call that waited for its place looks again, and a failure is noted before the next one gets it.
    if (step.kind !== "tool") await runAt(step, { at, inSlot: run.inSlot });
    else
      await run.inSlot(async () => mayBegin(at) && runAt(step, { at, inSlot: (call) => call() }));
    await beginReady();
  };
  const beginReady = async (): Promise<void> => {
    const isReady = (step: CompiledStep, at: number) =>
      !begun.has(step) && step.needs.every((id) => Object.hasOwn(results, id)) && mayBegin(at);
    await Promise.all(steps.flatMap((step, at) => (isReady(step, at) ? begin(step, at) : [])));
  };
  await beginReady();
  const kept = byId(dropTooMuch(pipe.steps, { results, scope, limits }));
  if (waits) return { ok: false, error: "", result: null, steps: kept, waits };
  const end = { limits, steps: kept, scope: addSteps(scope, { pipe, results: kept }) };
  return { ...concludePipe(pipe, end), waits };
}
