import { isJsonObject } from "../json.ts";
import {
  byId,
  mapInner,
  type NestedResult,
  type StepResult,
  type StepResults,
  toolResults,
} from "./pipe-result.ts";

/**
 * What paths read of a step: the fields of the contract, without raw results. A step that was skipped, or failed before
 * any call, brought nothing to read. Before a run, a step or its items may be a symbol, which stands for all of it.
 */
export function showStep(step: StepResult): StepResult {
  if (!isJsonObject(step)) return step;
  const { id, kind, ok, error, skipped } = step;
  if (skipped) return { id, kind, ok, error, skipped } as StepResult;
  if (step.kind === "for_each" && !Array.isArray(step.items)) return step;
  const isEmpty = !ok && !toolResults(step).some(({ hops }) => hops.length > 0);
  if (step.kind === "pipe") {
    const { result, result_for_model: _, ...fields } = mapInner(step, showStep) as NestedResult;
    return { ...fields, ...(!isEmpty && { result }) } as StepResult;
  }
  if (step.kind !== "tool") return mapInner(step, showStep);
  const { started_at, duration_ms, structured, text } = step;
  const told = skipped === undefined ? undefined : { skipped };
  const read = isEmpty ? undefined : { structured, text };
  return { id, ok, error, started_at, duration_ms, ...told, kind, ...read } as StepResult;
}

export function showSteps(steps: StepResults): StepResults {
  return byId(Object.values(steps).map(showStep));
}
