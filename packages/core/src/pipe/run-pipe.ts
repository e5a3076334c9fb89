import type { Host } from "../host/host.ts";
import { checkPipe, type ParsePipeOptions } from "./check-pipe.ts";
import type { CompiledPipe, CompiledStep, CompiledToolStep } from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { dropTooMuch } from "./kept-bytes.ts";
import { expandItems } from "./pipe-items.ts";
import { byId, type PipeResult, type StepResult } from "./pipe-result.ts";
import { createPipeRun, type PipeRun, type PipeRunOptions, reportPipe } from "./pipe-run.ts";
import { addStep, addSteps, enterNested, type PipeScope, topScope } from "./pipe-scope.ts";
import { runByData } from "./run-by-data.ts";
import { endToolStep, runToolStep } from "./run-tool-step.ts";
import { failureText, toStepResult } from "./step-result.ts";
import { beginStep, endStep, type Turn } from "./step-stage.ts";

export interface RunPipeOptions extends ParsePipeOptions, PipeRunOptions {}

/** Runs a pipe, parsed or not. Never rejects: a failure is a result with `ok: false` and every step that ran. */
export async function runPipe(host: Host, options: RunPipeOptions): Promise<PipeResult> {
  const verdict = checkPipe(host, options);
  if (!verdict.ok) {
    const { error, problems } = verdict;
    reportPipe(createPipeRun(host, options), { steps: 0, ok: false, code: error.code });
    return { ok: false, error: error.message, result: null, steps: {}, problems };
  }
  const { pipe } = verdict;
  const run = createPipeRun(host, { ...options, author: pipe.author });
  const steps = pipe.stepCount;
  const startMs = run.now();
  reportPipe(run, { steps });
  const scope = topScope(pipe, options.vars);
  const result = await runSteps(run, { pipe, scope });
  reportPipe(run, { steps, ok: result.ok, elapsedMs: run.now() - startMs });
  return result;
}

interface PipeStart {
  readonly pipe: CompiledPipe;
  readonly scope: PipeScope;
}

async function runSteps(run: PipeRun, { pipe, scope }: PipeStart): Promise<PipeResult> {
  const ran = pipe.sequence
    ? await runByData(run, { pipe, scope, runStep })
    : await runListed(run, { pipe, scope });
  const steps = byId(ran);
  const end = addSteps(scope, { pipe, results: steps });
  return concludePipe(pipe, { limits: run.limits, scope: end, steps });
}

async function runListed(run: PipeRun, { pipe, ...start }: PipeStart): Promise<StepResult[]> {
  let { scope } = start;
  const results: StepResult[] = [];
  for (const step of pipe.steps) {
    if (run.mayGoOn?.() === false) break;
    const result = await runStep(run, { step, scope });
    results.push(result);
    scope = addStep(scope, result);
    if (!result.ok && (!pipe.continueOnError || run.signal?.aborted)) break;
  }
  return results;
}

async function runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<StepResult> {
  const { step, scope } = turn;
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { ...turn, step });
    const end = stage.type === "waiting" ? endToolStep(run, { ...stage, step, scope }) : stage;
    return toStepResult(step, end);
  }
  const begun = beginStep(run, turn);
  if (begun.type === "ended") return toStepResult(step, begun);
  const inner = await runInside(run, { ...turn, step });
  const end = endStep(run, { ...begun, step, error: inner.error });
  return toStepResult(step, { ...end, inner });
}

/** Runs what is in a step that has begun. */
async function runInside(
  run: PipeRun,
  { step, scope, isItem }: Turn<Exclude<CompiledStep, CompiledToolStep>>,
): Promise<Pick<PipeResult, "error" | "steps"> & Partial<PipeResult>> {
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
  const results = byId(dropTooMuch(steps, { results: byId(ends), scope, limits: run.limits }));
  return { steps: results, error: failureText(steps, results) };
}
