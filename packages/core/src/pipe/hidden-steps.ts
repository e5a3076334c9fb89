import { resultHop } from "../chain/rail.ts";
import { isForUserAlone } from "../result/model-view.ts";
import { innerResults, type StepResult, type StepResults } from "./pipe-result.ts";

/** What a model reads in place of a value that is for the user alone. */
export const HIDDEN = "(for the user alone)";

/** True where the content of some step was for the user alone. */
export function holdsHidden(steps: StepResults): boolean {
  return Object.values(steps).some(isHidden);
}

/** True where the content of this step, or of one in it, was for the user alone. */
export function isHidden(step: StepResult): boolean {
  if (step.kind !== "tool") return holdsHidden(innerResults(step));
  const last = resultHop(step.hops);
  return last !== undefined && isForUserAlone(last.result);
}

/** A step without what was for the user alone, the whole result of a nested pipe that came by it included. */
export function coverStep<Step extends StepResult>(step: Step): Step {
  if (!isHidden(step)) return step;
  if (step.kind === "tool") return { ...step, structured: HIDDEN, text: HIDDEN };
  if (step.kind === "for_each") return { ...step, items: step.items.map(coverStep) };
  if (step.kind === "parallel") return { ...step, children: coverAll(step.children) };
  return { ...step, result: HIDDEN, steps: coverAll(step.steps) };
}

function coverAll(steps: StepResults): StepResults {
  return Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, coverStep(step)]));
}
