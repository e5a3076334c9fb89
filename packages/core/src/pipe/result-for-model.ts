import { type CompiledPipe, type CompiledStep, inSequence } from "./compiled-pipe.ts";
import { HIDDEN, isHidden } from "./hidden-steps.ts";
import { itemSteps, itemValues } from "./pipe-items.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import { byId, ranSteps, type StepResult, type StepResults } from "./pipe-result.ts";
import {
  addStep,
  addSteps,
  createScope,
  enterItem,
  enterNested,
  type PipeScope,
} from "./pipe-scope.ts";
import { selectResult } from "./select-result.ts";

/** What a run of a pipe has come to: what `return` sees, and the results of the steps that ran. */
export interface PipeOutcome {
  readonly limits: PipeLimits;
  readonly scope: PipeScope;
  readonly steps: StepResults;
}

/**
 * What `return` selects, and the steps that it sees, where every step that was for the user alone is
 * `HIDDEN`: by whatever path, in whatever text or object. A value that another tool was given and gave back
 * is that tool's own.
 */
export function resultForModel(
  pipe: CompiledPipe,
  { limits, scope: { vars, items }, steps: results }: PipeOutcome,
): { readonly result: unknown; readonly steps: StepResults } {
  const start: PipeScope = { ...createScope(vars, { items }), opaque: HIDDEN };
  let scope = start;
  const seen: StepResult[] = [];
  for (const [step, result] of ranSteps(inSequence(pipe), results)) {
    const shown = hide(step, { limits, result, scope });
    seen.push(shown);
    scope = addStep(scope, shown);
  }
  const steps = byId(ranSteps(pipe.steps, byId(seen)).map(([, result]) => result));
  if (pipe.sequence) scope = addSteps(start, { pipe, results: steps });
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
  if (step.kind === "for_each" && result.kind === "for_each") {
    const values = itemValues(step, { scope, limits });
    const items = itemSteps(step, result.items.length).map((item, at) => {
      const own = {
        as: step.as,
        value: typeof values === "string" ? HIDDEN : (values[at] ?? HIDDEN),
      };
      const inner = result.items[at] as StepResult;
      return hide(item, { limits, result: inner, scope: enterItem(scope, own) });
    });
    return { ...result, items };
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
