import { resultHop } from "../chain/rail.ts";
import { isForUserAlone } from "../result/model-view.ts";
import { mapInner, type StepResult, toolResults } from "./pipe-result.ts";

/** What a model reads in place of a value that is for the user alone. */
export const HIDDEN = "(for the user alone)";

/** True where the content of this step, or of one in it, was for the user alone. */
export function isHidden(step: StepResult): boolean {
  return toolResults(step).some(({ hops }) => {
    const last = resultHop(hops);
    return last !== undefined && isForUserAlone(last.result);
  });
}

/** A step without what was for the user alone, by whatever way it came there. */
export function coverStep(step: StepResult): StepResult {
  if (step.kind === "tool") {
    return isHidden(step) ? { ...step, structured: HIDDEN, text: HIDDEN } : step;
  }
  const covered = mapInner(step, coverStep);
  if (covered.kind !== "pipe" || covered.result_for_model === undefined) return covered;
  return { ...covered, result: covered.result_for_model };
}
