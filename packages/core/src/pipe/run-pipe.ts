import type { JsonObject } from "../json.ts";
import { concludePipe } from "./conclude-pipe.ts";
import { checkPipe, type ParsePipeOptions } from "./parse-pipe.ts";
import type { PipeHost } from "./pipe-host.ts";
import {
  type GroupPlan,
  isPipe,
  type NestedPlan,
  type Pipe,
  type PipePlan,
  type StepPlan,
} from "./pipe-plan.ts";
import type { GroupResult, NestedResult, PipeResult, StepResult } from "./pipe-result.ts";
import { beginStep, createPipeRun, type PipeRun, refuseStep, reportPipe } from "./pipe-run.ts";
import { addStep, createScope, type PipeScope } from "./pipe-scope.ts";
import { runToolStep } from "./run-tool-step.ts";
import { enterNested, topVars } from "./select-result.ts";
import { endGroup, endNested } from "./step-outcome.ts";

export interface RunPipeOptions extends ParsePipeOptions {
  /** Cancels the calls in flight and lets no other begin; the results so far come back. */
  readonly signal?: AbortSignal | undefined;
  /** Values in place of the `vars` of the spec. */
  readonly vars?: JsonObject;
  /** The `runId` of every call and event of the run. Default: the host makes one. */
  readonly pipeId?: string;
  /** Where a model called for the pipe: the id of its tool call, for the events. */
  readonly toolCallId?: string;
}

/**
 * Runs a pipe, parsed or not. Never rejects: a refused spec, a failed step and an abort are results
 * with `ok: false`, which hold every step that ran.
 */
export async function runPipe(
  pipe: Pipe | unknown,
  host: PipeHost,
  options: RunPipeOptions = {},
): Promise<PipeResult> {
  const verdict = isPipe(pipe) ? ({ ok: true, pipe } as const) : checkPipe(pipe, host, options);
  if (!verdict.ok) {
    const { error, problems } = verdict;
    reportPipe(createPipeRun(host, options), { steps: 0, ok: false, code: error.code });
    return { ok: false, error: error.message, result: null, steps: {}, problems };
  }
  const { plan, author, stepCount: steps } = verdict.pipe;
  const run = createPipeRun(host, { ...options, author });
  const startMs = host.now();
  reportPipe(run, { steps });
  const result = await runPlan(run, plan, topVars(plan, options.vars));
  reportPipe(run, { steps, ok: result.ok, elapsedMs: host.now() - startMs });
  return result;
}

async function runPlan(run: PipeRun, plan: PipePlan, vars: JsonObject): Promise<PipeResult> {
  const scope = createScope(vars);
  const steps: Record<string, StepResult> = {};
  for (const step of plan.steps) {
    const result = await runStep(run, step, scope);
    steps[step.id] = result;
    addStep(scope, result);
    if (!result.ok && (!plan.continueOnError || run.signal?.aborted)) break;
  }
  return concludePipe(run, plan, scope, steps);
}

function runStep(run: PipeRun, step: StepPlan, scope: PipeScope): Promise<StepResult> {
  switch (step.kind) {
    case "tool":
      return runToolStep(run, step, scope);
    case "parallel":
      return runGroup(run, step, scope);
    case "pipe":
      return runNested(run, step, scope);
  }
}

async function runGroup(run: PipeRun, step: GroupPlan, scope: PipeScope): Promise<GroupResult> {
  const startMs = beginStep(run, step);
  const refusal = refuseStep(run);
  if (refusal) return endGroup(run, step, startMs, {}, refusal);
  const results = await Promise.all(step.children.map((child) => runStep(run, child, scope)));
  return endGroup(run, step, startMs, Object.fromEntries(results.map((one) => [one.id, one])));
}

async function runNested(run: PipeRun, step: NestedPlan, scope: PipeScope): Promise<NestedResult> {
  const startMs = beginStep(run, step);
  const refusal = refuseStep(run);
  if (refusal) return endNested(run, step, startMs, { error: `${step.path}: ${refusal.message}` });
  const entry = enterNested(run, step, scope);
  if ("error" in entry) return endNested(run, step, startMs, entry);
  return endNested(run, step, startMs, await runPlan(run, step.pipe, entry.vars));
}
