import type { PipeLimits } from "../limits.ts";
import { ranSteps, weighStep } from "../scope/results.ts";
import type { PipeScope, StepNames, StepResult, StepResults } from "../types.ts";

/** Why the results of a step are dropped, with its path, unless that stands before the error already. */
export function tooMuchText(
  { maxKeptBytes }: PipeLimits,
  { kind, path }: Pick<StepNames, "kind" | "path">,
): string {
  const text = `The results of this pipe exceed ${maxKeptBytes} bytes (limits.maxKeptBytes); this step's were dropped.`;
  return kind === "tool" ? text : `${path}: ${text}`;
}

/** The children of a group whose results are too much, in the order of the spec, whoever answered first. */
function findTooMuch<Step extends StepNames>(
  children: readonly Step[],
  { results, scope, limits }: { results: StepResults; scope: PipeScope; limits: PipeLimits },
): Step[] {
  let { keptBytes } = scope;
  return ranSteps(children, results).flatMap(([step, result]) => {
    const weight = weighStep(result);
    if (keptBytes + weight > limits.maxKeptBytes) return step;
    keptBytes += weight;
    return [];
  });
}

/** The results of steps that ran side by side, without those that are too much. */
export function dropTooMuch(
  steps: readonly StepNames[],
  given: { results: StepResults; scope: PipeScope; limits: PipeLimits },
): StepResult[] {
  const tooMuch = findTooMuch(steps, given);
  return ranSteps(steps, given.results).map(([step, result]) => {
    if (!tooMuch.includes(step)) return result;
    const error = tooMuchText(given.limits, step);
    return { ...result, ok: false, error, ...NOTHING[result.kind] } as StepResult;
  });
}

/** What is left of results that are dropped. */
const NOTHING = {
  tool: { structured: null, text: "", hops: [] },
  parallel: { children: {} },
  pipe: { result: null, result_for_model: undefined, steps: {} },
  for_each: { items: [] },
};
