import { parseJsonText } from "../../json/json.ts";
import { isForUserAlone } from "../../result/content-block.ts";
import type { NestedResult, StepResult, StepResults, ToolStepResult } from "../types.ts";
import { byId, mapInner, toolResults } from "./results.ts";

/**
 * Shows the fields of a step that paths can read: those of the contract without raw results, and `json` if `hasJson`, but not for a value that is passed on as a whole. A step that failed before any call shows no output.
 */
export function showStep(step: StepResult, hasJson = false): StepResult {
  const show = (inner: StepResult) => showStep(inner, hasJson);
  const { id, kind, ok, error } = step;
  const isEmpty = !ok && !toolResults(step).some(({ hops }) => hops.length > 0);
  if (step.kind === "pipe") {
    const { result, result_for_model: _, ...fields } = mapInner(step, show) as NestedResult;
    return { ...fields, ...(!isEmpty && { result }) } as StepResult;
  }
  if (step.kind !== "tool") return mapInner(step, show);
  const { started_at, duration_ms, structured, text } = step;
  const shown = { id, ok, error, started_at, duration_ms, kind };
  if (isEmpty) return shown as StepResult;
  const read = { ...shown, structured, text } as ToolStepResult;
  if (!hasJson) return read;
  const isPlaceholder = structured === HIDDEN || typeof structured === "symbol";
  const get = () => (isPlaceholder ? structured : parseText(step));
  return Object.defineProperty(read, "json", { get }); // Not enumerable, so that no copy parses the text.
}

/** The values of texts by their steps, since each of many references may read a text of megabytes. */
const parsed = new WeakMap<ToolStepResult, unknown>();

function parseText(step: ToolStepResult): unknown {
  if (!parsed.has(step)) parsed.set(step, parseJsonText(step.text));
  return parsed.get(step);
}

export function showSteps(steps: StepResults): StepResults {
  return byId(Object.values(steps).map((step) => showStep(step)));
}

/** The text that replaces content for the user alone in what a model reads. */
export const HIDDEN = "(for the user alone)";

/** Returns true if the content of a step, or of a step inside it, was for the user alone. */
export function isHidden(step: StepResult): boolean {
  return toolResults(step).some(({ hops }) => {
    const [own] = hops;
    return own !== undefined && isForUserAlone(own.result);
  });
}

/** Replaces all content for the user alone in a step by placeholders. */
export function coverStep(step: StepResult): StepResult {
  if (step.kind === "tool") {
    return isHidden(step) ? { ...step, structured: HIDDEN, text: HIDDEN } : step;
  }
  const covered = mapInner(step, coverStep);
  if (covered.kind !== "pipe" || covered.result_for_model === undefined) return covered;
  return { ...covered, result: covered.result_for_model };
}
