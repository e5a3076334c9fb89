import { resultHop } from "../chain/rail.ts";
import { isForUserAlone } from "../result/model-view.ts";
import type { CompiledPipe, CompiledStep } from "./compiled-pipe.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import { byId, innerResults, ranSteps, type StepResult, type StepResults } from "./pipe-result.ts";
import { addStep, createScope, enterNested, type PipeScope } from "./pipe-scope.ts";
import { selectResult } from "./select-result.ts";

/** What a model reads in place of a value that is for the user alone. */
const HIDDEN = "(for the user alone)";

/** What a run of a pipe has come to: what `return` sees, and the results of the steps that ran. */
export interface PipeOutcome {
  readonly limits: PipeLimits;
  readonly scope: PipeScope;
  readonly steps: StepResults;
}

/** True where the content of some step was for the user alone. */
export function holdsHidden(steps: StepResults): boolean {
  return Object.values(steps).some(isHidden);
}

function isHidden(step: StepResult): boolean {
  if (step.kind !== "tool") return holdsHidden(innerResults(step));
  const last = resultHop(step.hops);
  return last !== undefined && isForUserAlone(last.result);
}

/**
 * What `return` selects, and the steps that it sees, where every step that was for the user alone is
 * `HIDDEN`: by whatever path, in whatever text or object. A value that another tool was given and gave back
 * is that tool's own.
 */
export function resultForModel(
  pipe: CompiledPipe,
  { limits, scope: { vars }, steps: results }: PipeOutcome,
): { readonly result: unknown; readonly steps: StepResults } {
  let scope: PipeScope = { ...createScope(vars), opaque: HIDDEN };
  const seen: StepResult[] = [];
  for (const [step, result] of ranSteps(pipe.steps, results)) {
    const shown = hide(step, { limits, result, scope });
    seen.push(shown);
    scope = addStep(scope, shown);
  }
  const steps = byId(seen);
  try {
    return { steps, result: selectResult(pipe, { scope, maxBytes: limits.maxKeptBytes }) };
  } catch {
    return { steps, result: HIDDEN }; // The placeholders took more room than there is.
  }
}

interface Ran {
  readonly limits: PipeLimits;
  readonly result: StepResult;
  readonly scope: PipeScope;
}

function hide(step: CompiledStep, { limits, result, scope }: Ran): StepResult {
  if (step.kind === "parallel" && result.kind === "parallel") {
    const children = ranSteps(step.children, result.children).map(([child, inner]) => {
      return [child.id, hide(child, { limits, result: inner, scope })] as const;
    });
    return { ...result, children: Object.fromEntries(children) };
  }
  if (step.kind === "pipe" && result.kind === "pipe") {
    const entry = enterNested(step, { limits, scope });
    const own = "scope" in entry ? entry.scope : createScope({});
    const seen = resultForModel(step.pipe, { limits, scope: own, steps: result.steps });
    return { ...result, steps: seen.steps, result: result.result && seen.result };
  }
  return isHidden(result)
    ? ({ ...result, structured: HIDDEN, text: HIDDEN } as StepResult)
    : result;
}
