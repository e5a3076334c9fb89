import type { PipeLimits } from "../limits.ts";
import type { StepNames, StepResult, StepResults, Variables } from "../types.ts";
import { ranSteps, weighStep } from "../variables/results.ts";

/** Writes the error for a step whose results are dropped, with its path if the error has none yet. */
export function tooMuchText(
  { maxKeptBytes }: PipeLimits,
  { kind, path }: Pick<StepNames, "kind" | "path">,
): string {
  const text = `The results of this pipe exceed ${maxKeptBytes} bytes (limits.maxKeptBytes); this step's were dropped.`;
  return kind === "tool" ? text : `${path}: ${text}`;
}

/** Drops results of steps that ran side by side if they are too large, in the order of the spec and not of the answers. */
export function dropTooMuch(
  steps: readonly StepNames[],
  {
    results,
    variables,
    limits,
  }: { results: StepResults; variables: Variables; limits: PipeLimits },
): StepResult[] {
  let { keptBytes } = variables;
  return ranSteps(steps, results).map(([step, result]) => {
    const weight = weighStep(result);
    if (keptBytes + weight > limits.maxKeptBytes) {
      const error = tooMuchText(limits, step);
      return { ...result, ok: false, error, ...NOTHING[result.kind] } as StepResult;
    }
    keptBytes += weight;
    return result;
  });
}

const NOTHING = {
  tool: { structured: null, text: "", hops: [] },
  parallel: { children: {} },
  pipe: { result: null, result_for_model: undefined, steps: {} },
  for_each: { items: [] },
};
