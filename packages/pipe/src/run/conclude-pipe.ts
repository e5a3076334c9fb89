import { messageOf } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import { failureText } from "../scope/results.ts";
import { readCovered } from "../scope/scope.ts";
import { showStep } from "../scope/step-views.ts";
import { resolveValue } from "../scope/values.ts";
import type {
  CompiledPipe,
  PipeResult,
  PipeScope,
  StepNames,
  StepResult,
  StepResults,
} from "../types.ts";

/** A pipe as far as its end depends on it. */
interface EndingPipe extends Omit<CompiledPipe, "steps"> {
  readonly steps: readonly StepNames[];
}

/** The results of the steps that ran, and the scope of `return`. */
interface PipeOutcome {
  readonly limits: PipeLimits;
  readonly scope: PipeScope;
  readonly steps: StepResults;
}

/** Creates the result of a pipe when no further step of it runs. */
export function concludePipe(pipe: EndingPipe, outcome: PipeOutcome): PipeResult {
  const { steps, scope, limits } = outcome;
  const failed = (error: string) => ({ ok: false, error, result: null, steps });
  const failure = failureText(pipe.steps, steps);
  const stopped = pipe.steps.length > Object.keys(steps).length;
  if (failure !== "" && (stopped || !pipe.continueOnError)) return failed(failure);
  if (stopped)
    return failed(`${pipe.path && `${pipe.path}: `}The pipe was stopped before it finished.`);
  try {
    const result = selectResult(pipe, outcome);
    const end = { ok: failure === "", error: failure, result, steps };
    // A value that another tool was given and gave back is that tool's own.
    const shown = readCovered(scope, (covered) => selectResult(pipe, { limits, scope: covered }));
    const isAll = shown === undefined || JSON.stringify(shown) === JSON.stringify(result);
    return isAll ? end : { ...end, result_for_model: shown };
  } catch (cause) {
    const message = messageOf(cause);
    const place = pipe.path === "" ? "return" : `${pipe.path}.return`;
    return failed(`${failure && `${failure}; `}${place}: ${message}`);
  }
}

/** Reads the value that `return` selects, or else the output of the last step. Throws as `resolveValue` does. */
function selectResult(
  { returns }: Pick<CompiledPipe, "returns">,
  { scope, limits }: Pick<PipeOutcome, "scope" | "limits">,
): unknown {
  if (returns !== undefined) {
    return resolveValue(returns, { scope, maxBytes: limits.maxKeptBytes });
  }
  return (scope.last && outcomeOf(showStep(scope.last))) ?? null;
}

/** The output of a step, without its calls and times. */
function outcomeOf(step: StepResult): unknown {
  if (step.skipped) return null;
  if (step.kind === "tool") return step.structured ?? step.text;
  if (step.kind === "for_each") return step.items.map(outcomeOf);
  if (step.kind === "pipe") return step.result;
  const children = Object.entries(step.children);
  return Object.fromEntries(children.map(([id, child]) => [id, outcomeOf(child)]));
}
