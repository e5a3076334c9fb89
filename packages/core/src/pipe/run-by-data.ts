import { type CompiledPipe, type CompiledStep, inSequence } from "./compiled-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { byId, ranSteps, type StepResult, type StepResults } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import { addSteps, type PipeScope } from "./pipe-scope.ts";
import type { Slots } from "./slots.ts";
import type { Turn } from "./step-stage.ts";

interface DataStart {
  readonly pipe: CompiledPipe;
  readonly scope: PipeScope;
  runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<StepResult | undefined>;
}

/** The steps of a list that have ended, in the order of the spec, and what a step after them sees. */
export interface RanSteps {
  readonly steps: StepResults;
  readonly scope: PipeScope;
  /** True where one waits for a person. What needs it has not begun. */
  readonly waits: boolean;
}

/**
 * Runs each step as soon as those that it needs are over. After a failure only steps before it in the sequence
 * begin, so that the first failure in that order is the same in each run; those that run go on to their end.
 * A step that waits for a person holds up those that need it.
 */
export async function runByData(
  run: PipeRun,
  { pipe, scope, runStep }: DataStart,
): Promise<RanSteps> {
  const steps = inSequence(pipe);
  const begun = new Set<CompiledStep>();
  const results = new Map<string, StepResult>();
  let failedAt = Number.POSITIVE_INFINITY;
  let waits = false;
  const mayBegin = (at: number) => {
    if (run.signal?.aborted) return false;
    if (run.journal?.has(steps[at]?.path ?? "")) return true; // It began before the run waited.
    return run.mayGoOn?.() !== false && (pipe.continueOnError || at < failedAt);
  };
  const runAt = async (step: CompiledStep, { at, inSlot }: { at: number; inSlot: Slots }) => {
    const own = { ...run, inSlot, mayGoOn: () => mayBegin(at) };
    const seen = addSteps(scope, { pipe, results: Object.fromEntries(results), ids: step.needs });
    const result = await runStep(own, { step, scope: seen });
    if (!result) {
      waits = true;
      return;
    }
    results.set(step.id, result);
    if (!result.ok) failedAt = Math.min(failedAt, at);
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
      !begun.has(step) && mayBegin(at) && step.needs.every((id) => results.has(id));
    const ready = steps.flatMap((step, at) => (isReady(step, at) ? begin(step, at) : []));
    await Promise.all(ready);
  };
  await beginReady();
  const ran = Object.fromEntries(results);
  const order = ranSteps(pipe.steps, ran).map(([step]) => step);
  const kept = byId(dropTooMuch(order, { results: ran, scope, limits: run.limits }));
  return { steps: kept, scope: addSteps(scope, { pipe, results: kept }), waits };
}
