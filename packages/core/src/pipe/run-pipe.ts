import type { Host } from "../host/host.ts";
import type { JsonObject } from "../json.ts";
import { checkPipe, type ParsePipeOptions } from "./check-pipe.ts";
import type { CompiledGroup, CompiledNested, CompiledPipe, CompiledStep } from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { tooMuchText, weighGroup } from "./kept-bytes.ts";
import type { PipeResult, StepResult } from "./pipe-result.ts";
import { createPipeRun, type PipeRun, type PipeRunOptions, reportPipe } from "./pipe-run.ts";
import { addStep, createScope, enterNested, type PipeScope, topVars } from "./pipe-scope.ts";
import { endToolStep, runToolStep } from "./run-tool-step.ts";
import { failureText, toStepResult, withoutResults } from "./step-result.ts";
import { beginStep, endStep } from "./step-stage.ts";

export interface RunPipeOptions extends ParsePipeOptions, PipeRunOptions {}

/**
 * Runs a pipe, parsed or not. Never rejects: a refused spec, a failed step and an abort are results
 * with `ok: false`, which hold every step that ran.
 */
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
  const vars = topVars(pipe, options.vars);
  const { result } = await runSteps(run, { pipe, vars, keptBytes: 0 });
  reportPipe(run, { steps, ok: result.ok, elapsedMs: run.now() - startMs });
  return result;
}

/** A result, and what it weighs of `limits.maxKeptBytes`. */
interface Weighed<Result> {
  readonly result: Result;
  readonly bytes: number;
}

/** Steps to run, and what all results before them weigh. */
interface Steps {
  readonly pipe: CompiledPipe;
  readonly vars: JsonObject;
  readonly keptBytes: number;
}

async function runSteps(
  run: PipeRun,
  { pipe, vars, keptBytes }: Steps,
): Promise<Weighed<PipeResult>> {
  let scope = createScope(vars);
  let bytes = 0;
  const results: [string, StepResult][] = [];
  for (const step of pipe.steps) {
    const end = await runStep(run, { step, scope, keptBytes: keptBytes + bytes });
    const { result } = end;
    bytes += end.bytes;
    results.push([step.id, result]);
    scope = addStep(scope, result);
    if (!result.ok && (!pipe.continueOnError || run.signal?.aborted)) break;
  }
  const steps = Object.fromEntries(results);
  return { result: concludePipe(pipe, { limits: run.limits, scope, steps }), bytes };
}

/** A step, what it sees, and what all results before it weigh. */
interface Turn<Step extends CompiledStep> {
  readonly step: Step;
  readonly scope: PipeScope;
  readonly keptBytes: number;
}

async function runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<Weighed<StepResult>> {
  const { step } = turn;
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { ...turn, step });
    const end = stage.type === "waiting" ? endToolStep(run, { ...turn, ...stage, step }) : stage;
    return { result: toStepResult(step, end), bytes: end.bytes ?? 0 };
  }
  const begun = beginStep(run, step);
  if (begun.type === "ended") return { result: toStepResult(step, begun), bytes: 0 };
  const { result: inner, bytes } = await (step.kind === "pipe"
    ? runNested(run, { ...turn, step })
    : runGroup(run, { ...turn, step }));
  const end = endStep(run, { ...begun, step, error: inner.error });
  return { result: toStepResult(step, { ...end, inner }), bytes };
}

async function runGroup(run: PipeRun, { step, ...turn }: Turn<CompiledGroup>) {
  const { children } = step;
  const ends = await Promise.all(children.map((child) => runStep(run, { ...turn, step: child })));
  const { bytes, isDropped } = weighGroup(run.limits, { ...turn, children: ends });
  const results = ends.map(({ result }, at) => {
    const child = children[at];
    return child && isDropped[at] ? withoutResults(result, tooMuchText(run.limits, child)) : result;
  });
  const steps = Object.fromEntries(results.map((result) => [result.id, result]));
  return { result: { steps, error: failureText(children, steps) }, bytes };
}

async function runNested(run: PipeRun, { step, scope, keptBytes }: Turn<CompiledNested>) {
  const entry = enterNested(step, { scope, limits: run.limits });
  if ("error" in entry) return { result: { ...entry, steps: {} }, bytes: 0 };
  return runSteps(run, { pipe: step.pipe, vars: entry.vars, keptBytes });
}
