import { isJsonObject } from "../json.ts";
import { innerResults, type StepResult, type StepResults } from "./pipe-result.ts";

/**
 * What paths read of a step: the fields of the contract, without raw results. A step that was skipped, or failed before
 * any call, brought nothing to read. Before a run, a step or its items may be a symbol, which stands for all of it.
 */
export function showStep(step: StepResult): StepResult {
  if (!isJsonObject(step)) return step;
  const { id, kind, ok, error, skipped } = step;
  if (skipped) return { id, kind, ok, error, skipped } as StepResult;
  if (step.kind === "parallel") return { ...step, children: showSteps(step.children) };
  if (step.kind === "for_each") {
    const { items } = step;
    return Array.isArray(items) ? { ...step, items: items.map(showStep) } : step;
  }
  const isEmpty = !ok && !hasCalled(step);
  if (step.kind === "pipe") {
    const { result, steps, ...fields } = step;
    const read = { ...fields, ...(!isEmpty && { result }), steps: showSteps(steps) };
    return read as StepResult;
  }
  const { started_at, duration_ms, structured, text } = step;
  const told = skipped === undefined ? undefined : { skipped };
  const read = isEmpty ? undefined : { structured, text };
  return { id, ok, error, started_at, duration_ms, ...told, kind, ...read } as StepResult;
}

export function showSteps(steps: StepResults): StepResults {
  return Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, showStep(step)]));
}

function hasCalled(step: StepResult): boolean {
  return step.kind === "tool"
    ? step.hops.length > 0
    : Object.values(innerResults(step)).some(hasCalled);
}
