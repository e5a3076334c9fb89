import { isForUserAlone } from "../result/model-view.ts";
import type { PipePlan, StepPlan } from "./pipe-plan.ts";
import type { StepResult } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import { addView, createScope, type PipeScope, type StepView, toView } from "./pipe-scope.ts";
import { HIDDEN } from "./references.ts";
import { enterNested, selectResult } from "./select-result.ts";

type Results = { readonly [id: string]: StepResult };

/** True where the content of some step was for the user alone. */
export function holdsHidden(steps: Results): boolean {
  return Object.values(steps).some((step) => {
    if (step.kind === "tool") return isHidden(step);
    return holdsHidden(step.kind === "parallel" ? step.children : step.steps);
  });
}

function isHidden(step: StepResult): boolean {
  const last = step.kind === "tool" ? step.hops.at(-1) : undefined;
  return last !== undefined && isForUserAlone(last.result);
}

/**
 * What `return` selects where every step that was for the user alone is `HIDDEN`: by whatever path, in
 * whatever text or object. A value that another tool was given and gave back is that tool's own.
 */
export function resultForModel(
  run: PipeRun,
  plan: PipePlan,
  vars: PipeScope["vars"],
  steps: Results,
): unknown {
  try {
    return selectResult(run, plan, scopeForModel(run, plan, vars, steps));
  } catch {
    return HIDDEN; // The placeholders took more room than there is.
  }
}

function scopeForModel(
  run: PipeRun,
  { steps: plans }: PipePlan,
  vars: PipeScope["vars"],
  steps: Results,
): PipeScope {
  const scope = { ...createScope(vars), isForModel: true };
  for (const plan of plans) {
    const step = steps[plan.id];
    if (step) addView(scope, viewForModel(run, plan, step, scope));
  }
  return scope;
}

function viewForModel(run: PipeRun, plan: StepPlan, step: StepResult, scope: PipeScope): StepView {
  if (plan.kind === "parallel" && step.kind === "parallel") {
    const children = plan.children.flatMap((child) => {
      const result = step.children[child.id];
      return result ? [[child.id, viewForModel(run, child, result, scope)] as const] : [];
    });
    return { ...step, children: Object.fromEntries(children) };
  }
  if (plan.kind === "pipe" && step.kind === "pipe") {
    const entry = enterNested(run, plan, scope);
    const vars = "vars" in entry ? entry.vars : {};
    const { steps } = scopeForModel(run, plan.pipe, vars, step.steps);
    const result = step.result === null ? null : resultForModel(run, plan.pipe, vars, step.steps);
    return { ...step, steps, result };
  }
  const view = toView(step);
  return isHidden(step) ? ({ ...view, structured: HIDDEN, text: HIDDEN } as StepView) : view;
}
