import type { JsonObject } from "../json.ts";
import type { GroupResult, NestedResult, StepResult, ToolStepResult } from "./pipe-result.ts";
import type { Scope } from "./resolve-template.ts";

/** What references see of a step: the fields of the contract. The raw results of its calls are not among them. */
export type StepView =
  | Omit<ToolStepResult, "hops">
  | (Omit<GroupResult, "children"> & { readonly children: StepViews })
  | (Omit<NestedResult, "steps"> & { readonly steps: StepViews });

export type StepViews = { readonly [id: string]: StepView };

/** What the steps of one list see. */
export interface PipeScope extends Scope {
  readonly vars: JsonObject;
  /** Never changed but replaced, since a step may hand all of it on. */
  steps: StepViews;
  last?: StepView;
}

export function createScope(vars: JsonObject): PipeScope {
  return { vars, steps: {} };
}

/** Adds the step that has just ended. */
export function addStep(scope: PipeScope, result: StepResult): void {
  addView(scope, toView(result));
}

/** Adds a step as somebody in particular sees it. */
export function addView(scope: PipeScope, view: StepView): void {
  scope.steps = { ...scope.steps, [view.id]: view };
  scope.last = view;
}

/** What references see of one step. */
export function toView(step: StepResult): StepView {
  switch (step.kind) {
    case "tool": {
      const { id, kind, ok, error, structured, text, started_at, duration_ms } = step;
      return { id, kind, ok, error, structured, text, started_at, duration_ms };
    }
    case "parallel":
      return { ...step, children: toViews(step.children) };
    case "pipe":
      return { ...step, steps: toViews(step.steps) };
  }
}

function toViews(steps: { readonly [id: string]: StepResult }): StepViews {
  return Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, toView(step)]));
}
