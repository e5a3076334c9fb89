import type { JsonObject } from "../json.ts";
import type { CompiledNested, CompiledPipe } from "./compiled-pipe.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import type { StepResult, StepResults } from "./pipe-result.ts";
import type { Scope } from "./references.ts";
import { resolveValue } from "./resolve-value.ts";

/** What the steps of one list see: the results without their hops. Never changed: a step may hand all of it on. */
export interface PipeScope extends Scope {
  readonly vars: JsonObject;
  readonly steps: StepResults;
  readonly last?: StepResult;
}

export function createScope(vars: JsonObject): PipeScope {
  return { vars, steps: {} };
}

/** The scope of the step after this one, which has ended. */
export function addStep<Known extends PipeScope>(scope: Known, step: StepResult): Known {
  const last = withoutHops(step);
  return { ...scope, steps: { ...scope.steps, [last.id]: last }, last };
}

/** The fields of the contract. The raw results of calls are not among them. */
function withoutHops(step: StepResult): StepResult {
  if (step.kind === "parallel") return { ...step, children: allWithoutHops(step.children) };
  if (step.kind === "pipe") return { ...step, steps: allWithoutHops(step.steps) };
  const { hops: _, ...fields } = step;
  return fields as StepResult;
}

function allWithoutHops(steps: StepResults): StepResults {
  return Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, withoutHops(step)]));
}

/** The `vars` of a run: those of the spec, where what looks like a reference is data, overlaid by those given. */
export function topVars({ vars }: CompiledPipe, given: JsonObject = {}): JsonObject {
  return { ...structuredClone(vars), ...given };
}

/** The `vars` that a nested pipe sees, or why it cannot begin. */
export function enterNested(
  { pipe, path }: CompiledNested,
  { scope, limits }: { readonly scope: PipeScope; readonly limits: PipeLimits },
): { readonly vars: JsonObject } | { readonly error: string } {
  try {
    const own = resolveValue(pipe.vars, { scope, maxBytes: limits.maxKeptBytes });
    return { vars: { ...scope.vars, ...(own as JsonObject) } };
  } catch (cause) {
    return { error: `${path}.vars: ${cause instanceof Error ? cause.message : cause}` };
  }
}
