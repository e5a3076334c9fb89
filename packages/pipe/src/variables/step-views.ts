import { isForUserAlone } from "@toolrail/core/plugin";
import { isJsonObject, withJson } from "@toolrail/json";
import type { NestedResult, StepResult, StepResults, ToolStepResult } from "../types.ts";
import { byId, mapInner, toolResults } from "./results.ts";

/** True adds `json`: see `withJson`. A value that is handed on as a whole has none. */
interface StepView {
  readonly hasJson?: boolean;
}

/**
 * Shows of a step what paths read: the fields of the contract, without raw results, and `json` if `hasJson`. A step that was
 * skipped, or failed before any call, has nothing to read. Before a run, a step or its items may be a symbol, which value for
 * all of it.
 */
export function showStep(step: StepResult, view: StepView = {}): StepResult {
  if (!isJsonObject(step)) return step;
  const show = (inner: StepResult) => showStep(inner, view);
  const { id, kind, ok, error, skipped } = step;
  if (skipped) return { id, kind, ok, error, skipped } as StepResult;
  if (step.kind === "for_each" && !Array.isArray(step.items)) return step;
  const isEmpty = !ok && !toolResults(step).some(({ hops }) => hops.length > 0);
  if (step.kind === "pipe") {
    const { result, result_for_model: _, ...fields } = mapInner(step, show) as NestedResult;
    return { ...fields, ...(!isEmpty && { result }) } as StepResult;
  }
  if (step.kind !== "tool") return mapInner(step, show);
  const { started_at, duration_ms, structured, text } = step;
  const told = skipped === undefined ? undefined : { skipped };
  const shown = { id, ok, error, started_at, duration_ms, ...told, kind };
  if (isEmpty) return shown as StepResult;
  const read = { ...shown, structured, text } as ToolStepResult;
  if (!view.hasJson) return read;
  const isPlaceholder = structured === HIDDEN || typeof structured === "symbol";
  const value = isPlaceholder ? structured : undefined;
  return withJson(read, { source: step, value });
}

export function showSteps(steps: StepResults, view: StepView = {}): StepResults {
  return byId(Object.values(steps).map((step) => showStep(step, view)));
}

/** The text that a model reads in place of a value that is for the user alone. */
export const HIDDEN = "(for the user alone)";

/** True if the content of this step, or of one in it, was for the user alone. */
export function isHidden(step: StepResult): boolean {
  return toolResults(step).some(({ hops }) => {
    const [own] = hops;
    return own !== undefined && isForUserAlone(own.result);
  });
}

/** A step with placeholders for everything that was for the user alone. */
export function coverStep(step: StepResult): StepResult {
  if (step.kind === "tool") {
    return isHidden(step) ? { ...step, structured: HIDDEN, text: HIDDEN } : step;
  }
  const covered = mapInner(step, coverStep);
  if (covered.kind !== "pipe" || covered.result_for_model === undefined) return covered;
  return { ...covered, result: covered.result_for_model };
}
