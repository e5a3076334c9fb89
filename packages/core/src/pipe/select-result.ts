import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, weigh } from "../json.ts";
import type { NestedPlan, PipePlan } from "./pipe-plan.ts";
import type { PipeRun } from "./pipe-run.ts";
import type { PipeScope, StepView } from "./pipe-scope.ts";
import { copyOf, resolveTemplate } from "./resolve-template.ts";

/** The `vars` of the top level: those of the spec, overlaid by those given for this run. */
export function topVars({ vars }: PipePlan, given: JsonObject = {}): JsonObject {
  const own = vars.type === "value" ? copyOf(vars.value) : undefined;
  return { ...(isJsonObject(own) ? own : {}), ...given };
}

/** The `vars` that a nested pipe sees, or why it cannot begin. */
export function enterNested(
  { limits }: PipeRun,
  { pipe, path }: NestedPlan,
  scope: PipeScope,
): { readonly vars: JsonObject } | { readonly error: string } {
  try {
    const own = resolveTemplate(pipe.vars, scope, limits.maxArgumentBytes);
    return { vars: { ...scope.vars, ...(isJsonObject(own) ? own : {}) } };
  } catch (cause) {
    return { error: `${path}.vars: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** What `return` selects; without it what the last step brought. Throws where it cannot be read or is too large. */
export function selectResult({ limits }: PipeRun, plan: PipePlan, scope: PipeScope): unknown {
  if (!plan.returns) return scope.last ? outcomeOf(scope.last) : null;
  const result = resolveTemplate(plan.returns, scope, limits.maxKeptBytes);
  const size = weigh(result, { maxBytes: limits.maxKeptBytes, maxDepth: 256 });
  if (typeof size === "number") return result;
  throw new ToolrailError("pipe-limit", `The value was dropped: ${size} (limits.maxKeptBytes)`);
}

/** What a step brought, in short. */
function outcomeOf(step: StepView): unknown {
  switch (step.kind) {
    case "tool":
      return step.structured ?? step.text;
    case "pipe":
      return step.result;
    case "parallel":
      return Object.fromEntries(
        Object.entries(step.children).map(([id, child]) => [id, outcomeOf(child)]),
      );
  }
}
