import type { GroupPlan, NestedPlan, StepPlan } from "./pipe-plan.ts";
import type { GroupResult, NestedResult, PipeResult, StepResult } from "./pipe-result.ts";
import { endStep, type PipeRun } from "./pipe-run.ts";

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

/** All failures among steps, each with its path: groups and nested pipes name the paths inside them. */
export function failureText(
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
