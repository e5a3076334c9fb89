import type { PipePlan } from "./pipe-plan.ts";
import type { PipeResult } from "./pipe-result.ts";
import type { PipeRun } from "./pipe-run.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { holdsHidden, resultForModel } from "./result-for-model.ts";
import { selectResult } from "./select-result.ts";
import { failureText } from "./step-outcome.ts";

/** What a pipe comes to when no further step of it runs. `steps` are those that ran. */
export function concludePipe(
  run: PipeRun,
  plan: PipePlan,
  scope: PipeScope,
  steps: PipeResult["steps"],
): PipeResult {
  const failure = failureText(plan.steps, steps);
  const stopped = plan.steps.length > Object.keys(steps).length;
  if (failure !== "" && (stopped || !plan.continueOnError)) {
    return { ok: false, error: failure, result: null, steps };
  }
  try {
    const result = selectResult(run, plan, scope);
    const end = { ok: failure === "", error: failure, result, steps };
    if (plan.path !== "" || !holdsHidden(steps)) return end;
    const shown = resultForModel(run, plan, scope.vars, steps);
    const isSame = JSON.stringify(shown) === JSON.stringify(result);
    return isSame ? end : { ...end, result_for_model: shown };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const place = plan.path === "" ? "return" : `${plan.path}.return`;
    const error = [failure, `${place}: ${message}`].filter((text) => text !== "").join("; ");
    return { ok: false, error, result: null, steps };
  }
}
