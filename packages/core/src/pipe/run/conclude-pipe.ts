import { messageOf } from "../../json/plain-text.ts";
import type { PipeLimits } from "../limits.ts";
import type {
  CompiledPipe,
  PipeResult,
  StepNames,
  StepResult,
  StepResults,
  Variables,
} from "../types.ts";
import { failureText } from "../variables/results.ts";
import { showStep } from "../variables/step-views.ts";
import { resolveValue } from "../variables/values.ts";
import { readCovered } from "../variables/variables.ts";

interface EndingPipe extends Omit<CompiledPipe, "steps"> {
  readonly steps: readonly StepNames[];
}

/** Creates the result of a pipe that has ended, from the results of its steps and the last variables. */
export function concludePipe(
  pipe: EndingPipe,
  { steps, variables, limits }: { steps: StepResults; variables: Variables; limits: PipeLimits },
): PipeResult {
  const { returns } = pipe;
  /** Reads the value that `return` selects, or the output of the last step. */
  const select = (own: Variables): unknown =>
    returns === undefined
      ? ((own.last && readOutput(showStep(own.last))) ?? null)
      : resolveValue(returns, { variables: own, maxBytes: limits.maxKeptBytes });
  const failed = (error: string) => ({ ok: false, error, result: null, steps });
  const failure = failureText(pipe.steps, steps);
  const stopped = pipe.steps.length > Object.keys(steps).length;
  if (failure !== "" && (stopped || !pipe.continueOnError)) return failed(failure);
  if (stopped)
    return failed(`${pipe.path && `${pipe.path}: `}The pipe was stopped before it finished.`);
  try {
    const result = select(variables);
    const end = { ok: failure === "", error: failure, result, steps };
    // A tool's own result is shown even if it repeats a hidden argument.
    const shown = readCovered(variables, select);
    const isAll = shown === undefined || JSON.stringify(shown) === JSON.stringify(result);
    return isAll ? end : { ...end, result_for_model: shown };
  } catch (cause) {
    const message = messageOf(cause);
    const place = pipe.path === "" ? "return" : `${pipe.path}.return`;
    return failed(`${failure && `${failure}; `}${place}: ${message}`);
  }
}

/** Returns the output of a step, without its calls and times. */
function readOutput(step: StepResult): unknown {
  if (step.kind === "tool") return step.structured ?? step.text;
  if (step.kind === "pipe") return step.result;
  const children = Object.entries(step.children);
  return Object.fromEntries(children.map(([id, child]) => [id, readOutput(child)]));
}
