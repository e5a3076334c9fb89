import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, weigh } from "../json.ts";
import type { GroupPlan, NestedPlan, PipePlan, StepPlan } from "./pipe-plan.ts";
import type { GroupResult, NestedResult, PipeResult, StepResult } from "./pipe-result.ts";
import { endStep, type PipeRun } from "./pipe-run.ts";
import { resolveTemplate, type Scope } from "./template.ts";

/** What the steps of one list see and have brought so far. */
export interface PipeScope extends Scope {
  readonly vars: JsonObject;
  readonly steps: { [id: string]: StepResult };
  last?: StepResult;
}

/** The result of a group whose children have all ended, or that was not begun: then `refusal` says why. */
export function endGroup(
  run: PipeRun,
  step: GroupPlan,
  startMs: number,
  children: { readonly [id: string]: StepResult },
  refusal?: Error,
): GroupResult {
  const error = refusal ? `${step.path}: ${refusal.message}` : failureText(step.children, children);
  return endStep(run, step, startMs, { kind: "parallel", error, children });
}

/** The `vars` of the top level: those of the spec, overlaid by those given for this run. */
export function topVars({ vars }: PipePlan, given: JsonObject = {}): JsonObject {
  const own = vars.type === "value" && isJsonObject(vars.value) ? vars.value : {};
  return { ...own, ...given };
}

/** The `vars` that a nested pipe sees, or why it cannot begin. */
export function enterNested(
  { limits }: PipeRun,
  { pipe, path }: NestedPlan,
  scope: Scope,
): { readonly vars: JsonObject } | { readonly error: string } {
  try {
    const own = resolveTemplate(pipe.vars, scope, limits.maxArgumentBytes);
    return { vars: { ...scope.vars, ...(isJsonObject(own) ? own : {}) } };
  } catch (cause) {
    return { error: `${path}.vars: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** The result of a nested pipe. */
export function endNested(
  run: PipeRun,
  step: NestedPlan,
  startMs: number,
  {
    error,
    result = null,
    steps = {},
  }: Partial<Pick<PipeResult, "result" | "steps">> & { error: string },
): NestedResult {
  return endStep(run, step, startMs, { kind: "pipe", error, result, steps });
}

/** What a pipe comes to when no further step of it runs. */
export function concludePipe(
  run: PipeRun,
  plan: PipePlan,
  scope: PipeScope,
): { ok: boolean; error: string; result: unknown } {
  const failure = failureText(plan.steps, scope.steps);
  const stopped = plan.steps.length > Object.keys(scope.steps).length;
  if (failure !== "" && (stopped || !plan.continueOnError)) {
    return { ok: false, error: failure, result: null };
  }
  try {
    const result = selectResult(run, plan, scope);
    return { ok: failure === "", error: failure, result };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const place = plan.path === "" ? "return" : `${plan.path}.return`;
    const error = [failure, `${place}: ${message}`].filter((text) => text !== "").join("; ");
    return { ok: false, error, result: null };
  }
}

function selectResult({ limits }: PipeRun, plan: PipePlan, scope: PipeScope): unknown {
  if (!plan.returns) return scope.last ? outcomeOf(scope.last) : null;
  const result = resolveTemplate(plan.returns, scope, limits.maxKeptBytes);
  const size = weigh(result, { maxBytes: limits.maxKeptBytes, maxDepth: 256 });
  if (typeof size === "number") return result;
  throw new ToolrailError("pipe-limit", `The value was dropped: ${size} (limits.maxKeptBytes)`);
}

/** What a step brought, in short: a pipe without `return` results in this. */
function outcomeOf(step: StepResult): unknown {
  switch (step.kind) {
    case "tool":
      return step.structured ?? step.text;
    case "pipe":
      return step.result;
    case "parallel":
      return Object.fromEntries(
        Object.entries(step.children).map(([id, child]) => [id, outcomeOf(child)]),
      );
  }
}

/** All failures among steps, each with its path: groups and nested pipes name the paths inside them. */
function failureText(
  plans: readonly StepPlan[],
  results: { readonly [id: string]: StepResult },
): string {
  let text = "";
  for (const { id, path, kind } of plans) {
    const result = results[id];
    if (!result || result.ok) continue;
    const failure = kind === "tool" ? `${path}: ${result.error}` : result.error;
    text = text === "" ? failure : `${text}; ${failure}`;
  }
  return text;
}
