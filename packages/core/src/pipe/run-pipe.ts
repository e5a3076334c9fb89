import type { Host } from "../host/host.ts";
import type { JsonObject } from "../json.ts";
import { checkPipe, type ParsePipeOptions } from "./check-pipe.ts";
import type { CompiledGroup, CompiledNested, CompiledPipe, CompiledStep } from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import type { PipeResult, StepResult } from "./pipe-result.ts";
import { createPipeRun, type PipeRun, type PipeRunOptions, reportPipe } from "./pipe-run.ts";
import { addStep, createScope, enterNested, type PipeScope, topVars } from "./pipe-scope.ts";
import { endToolStep, runToolStep } from "./run-tool-step.ts";
import { failureText, toStepResult } from "./step-result.ts";
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
  const result = await runSteps(run, { pipe, vars: topVars(pipe, options.vars) });
  reportPipe(run, { steps, ok: result.ok, elapsedMs: run.now() - startMs });
  return result;
}

async function runSteps(
  run: PipeRun,
  { pipe, vars }: { readonly pipe: CompiledPipe; readonly vars: JsonObject },
): Promise<PipeResult> {
  let scope = createScope(vars);
  const results: [string, StepResult][] = [];
  for (const step of pipe.steps) {
    const result = await runStep(run, { step, scope });
    results.push([step.id, result]);
    scope = addStep(scope, result);
    if (!result.ok && (!pipe.continueOnError || run.signal?.aborted)) break;
  }
  return concludePipe(pipe, { limits: run.limits, scope, steps: Object.fromEntries(results) });
}

/** A step, and what it sees. */
interface Turn<Step extends CompiledStep> {
  readonly step: Step;
  readonly scope: PipeScope;
}

async function runStep(run: PipeRun, { step, scope }: Turn<CompiledStep>): Promise<StepResult> {
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { step, scope });
    const end = stage.type === "waiting" ? endToolStep(run, { step, ...stage }) : stage;
    return toStepResult(step, end);
  }
  const begun = beginStep(run, step);
  if (begun.type === "ended") return toStepResult(step, begun);
  const runInner =
    step.kind === "pipe" ? runNested(run, { step, scope }) : runGroup(run, { step, scope });
  const inner = await runInner;
  return toStepResult(step, { ...endStep(run, { ...begun, step, error: inner.error }), inner });
}

async function runGroup(run: PipeRun, { step, scope }: Turn<CompiledGroup>) {
  const turns = step.children.map((child) => runStep(run, { step: child, scope }));
  const results = await Promise.all(turns);
  const steps = Object.fromEntries(results.map((result) => [result.id, result]));
  return { steps, error: failureText(step.children, steps) };
}

async function runNested(run: PipeRun, { step, scope }: Turn<CompiledNested>) {
  const entry = enterNested(step, { scope, limits: run.limits });
  if ("error" in entry) return { ...entry, steps: {} };
  return runSteps(run, { pipe: step.pipe, vars: entry.vars });
}
