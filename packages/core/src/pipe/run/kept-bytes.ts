import type { PipeLimits } from "../limits.ts";
import type { StepNames, StepResult, StepResults, Variables } from "../types.ts";
import { byId, failureText, ranSteps, weighStep } from "../variables/results.ts";

/** Writes the error for a step whose results are dropped, with its path if the error has none yet. */
export function tooMuchText(
  { maxKeptBytes }: PipeLimits,
  { kind, path }: Pick<StepNames, "kind" | "path">,
): string {
  const text = `The results of this pipe exceed ${maxKeptBytes} bytes (limits.maxKeptBytes); this step's were dropped.`;
  return kind === "tool" ? text : `${path}: ${text}`;
}

/** Joins the results of steps that ran side by side. Drops those that are too large, in the order of the spec and not of the answers. */
export function joinResults(
  steps: readonly StepNames[],
  {
    results,
    variables,
    limits,
  }: { results: readonly StepResult[]; variables: Variables; limits: PipeLimits },
): { readonly steps: StepResults; readonly error: string } {
  let { keptBytes } = variables;
  const kept = ranSteps(steps, byId(results)).map(([step, result]) => {
    const weight = weighStep(result);
    if (keptBytes + weight > limits.maxKeptBytes) {
      const error = tooMuchText(limits, step);
      return { ...result, ok: false, error, ...NOTHING[result.kind] } as StepResult;
    }
    keptBytes += weight;
    return result;
  });
  const joined = byId(kept);
  return { steps: joined, error: failureText(steps, joined) };
}

const NOTHING = {
  tool: { structured: null, text: "", hops: [] },
  parallel: { children: {} },
  pipe: { result: null, result_for_model: undefined, steps: {} },
};
