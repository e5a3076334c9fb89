import { type CompiledPipe, type CompiledStep, inSequence } from "./compiled-pipe.ts";
import { holdsHidden } from "./hidden-steps.ts";
import { type PipeResult, ranSteps, type StepResults } from "./pipe-result.ts";
import { type PipeOutcome, resultForModel } from "./result-for-model.ts";
import { selectResult } from "./select-result.ts";
import { failureText } from "./step-result.ts";

/** What a pipe comes to when no further step of it runs. */
export function concludePipe(pipe: CompiledPipe, outcome: PipeOutcome): PipeResult {
  const { steps, scope, limits } = outcome;
  const failed = (error: string) => ({ ok: false, error, result: null, steps });
  const failure = failureText(pipe.continueOnError ? pipe.steps : firstFailed(pipe, steps), steps);
  const stopped = pipe.steps.length > Object.keys(steps).length;
  if (failure !== "" && (stopped || !pipe.continueOnError)) return failed(failure);
  if (stopped)
    return failed(`${pipe.path && `${pipe.path}: `}The pipe was stopped before it finished.`);
  try {
    const result = selectResult(pipe, { scope, maxBytes: limits.maxKeptBytes });
    const end = { ok: failure === "", error: failure, result, steps };
    if (pipe.path !== "" || !holdsHidden(steps)) return end;
    const { result: shown } = resultForModel(pipe, outcome);
    const isSame = JSON.stringify(shown) === JSON.stringify(result);
    return isSame ? end : { ...end, result_for_model: shown };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const place = pipe.path === "" ? "return" : `${pipe.path}.return`;
    return failed(`${failure && `${failure}; `}${place}: ${message}`);
  }
}

/** What ends a pipe is its first failure. In the order of the data, others may have come before it in time. */
function firstFailed(pipe: CompiledPipe, results: StepResults): readonly CompiledStep[] {
  const ran = ranSteps(inSequence(pipe), results);
  return ran
    .filter(([, { ok }]) => !ok)
    .slice(0, 1)
    .map(([step]) => step);
}
