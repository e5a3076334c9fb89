import type { Host } from "../host/host.ts";
import { checkPipe, type ParsePipeOptions } from "./check-pipe.ts";
import type { CompiledGroup, CompiledNested, CompiledPipe, CompiledStep } from "./compiled-pipe.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { findTooMuch, tooMuchText } from "./kept-bytes.ts";
import { byId, type PipeResult, type StepResult } from "./pipe-result.ts";
import { createPipeRun, type PipeRun, type PipeRunOptions, reportPipe } from "./pipe-run.ts";
import { addStep, enterNested, type PipeScope, topScope } from "./pipe-scope.ts";
import { endToolStep, runToolStep, type Turn } from "./run-tool-step.ts";
import { failureText, toStepResult, withoutResults } from "./step-result.ts";
import { beginStep, endStep } from "./step-stage.ts";

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

async function runSteps(
  run: PipeRun,
  start: { readonly pipe: CompiledPipe; readonly scope: PipeScope },
): Promise<PipeResult> {
  const { pipe } = start;
  let { scope } = start;
  const results: StepResult[] = [];
  for (const step of pipe.steps) {
    const result = await runStep(run, { step, scope });
    results.push(result);
    scope = addStep(scope, result);
    if (!result.ok && (!pipe.continueOnError || run.signal?.aborted)) break;
  }
  return concludePipe(pipe, { limits: run.limits, scope, steps: byId(results) });
}

async function runStep(run: PipeRun, { step, scope }: Turn<CompiledStep>): Promise<StepResult> {
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { step, scope });
    const end = stage.type === "waiting" ? endToolStep(run, { ...stage, step, scope }) : stage;
    return toStepResult(step, end);
  }
  const begun = beginStep(run, step);
  if (begun.type === "ended") return toStepResult(step, begun);
  const inner = await (step.kind === "pipe"
    ? runNested(run, { step, scope })
    : runGroup(run, { step, scope }));
  const end = endStep(run, { ...begun, step, error: inner.error });
  return toStepResult(step, { ...end, inner });
}

async function runGroup(run: PipeRun, { step, scope }: Turn<CompiledGroup>) {
  const { children } = step;
  const { limits } = run;
  const ends = await Promise.all(children.map((child) => runStep(run, { step: child, scope })));
  const tooMuch = findTooMuch(children, { results: byId(ends), scope, limits });
  const results = ends.map((result) => {
    const child = tooMuch.find(({ id }) => id === result.id);
    return child ? withoutResults(result, tooMuchText(limits, child)) : result;
  });
  const steps = byId(results);
  return { steps, error: failureText(children, steps) };
}

async function runNested(run: PipeRun, { step, scope }: Turn<CompiledNested>) {
  const entry = enterNested(step, { scope, limits: run.limits });
  if ("error" in entry) return { ...entry, steps: {} };
  return runSteps(run, { pipe: step.pipe, ...entry });
}
