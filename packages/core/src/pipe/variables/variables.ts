import type { JsonObject } from "../../json/json.ts";
import { messageOf } from "../../json/plain-text.ts";
import type { PipeLimits } from "../limits.ts";
import type { Pipe } from "../pipe.ts";
import type { CompiledPipe, StepResult, Variables } from "../types.ts";
import { weighStep } from "./results.ts";
import { coverStep, HIDDEN, isHidden } from "./step-views.ts";
import { resolveValue } from "./values.ts";

/** Creates the variables of the first step of a list. */
export function createVariables(vars: JsonObject, keptBytes = 0): Variables {
  return { vars, steps: {}, keptBytes };
}

/** Creates the variables of the step after this one. Hidden content is covered from the first step that contains it. */
export function addStep(variables: Variables, step: StepResult): Variables {
  const steps = { ...variables.steps, [step.id]: step };
  const keptBytes = variables.keptBytes + weighStep(step);
  const after = { ...variables, steps, last: step, keptBytes };
  if (!variables.covered && (variables.opaque !== undefined || !isHidden(step))) return after;
  const covered = variables.covered ?? { ...variables, opaque: HIDDEN };
  return { ...after, covered: addStep(covered, coverStep(step)) };
}

/** Creates the variables of the first step of a run: the `vars` of the spec, which are data, overlaid by the given ones. */
export function topVariables({ vars }: Pick<Pipe, "vars">, given: JsonObject = {}): Variables {
  return createVariables({ ...structuredClone(vars), ...given });
}

/** Creates the variables of the first step of a nested pipe. `error` is the reason if it cannot begin. */
export function enterNested(
  { pipe, path }: { readonly pipe: Pick<CompiledPipe, "vars">; readonly path: string },
  { variables, limits }: { readonly variables: Variables; readonly limits: PipeLimits },
): { readonly variables: Variables } | { readonly error: string } {
  const enter = (around: Variables) => {
    const bounds = { variables: around, maxBytes: limits.maxKeptBytes };
    const own = resolveValue(pipe.vars, bounds) as JsonObject;
    return createVariables({ ...around.vars, ...own }, around.keptBytes);
  };
  try {
    const inner = enter(variables);
    const covered = readCovered(variables, enter);
    if (!covered) return { variables: inner };
    const own = covered === HIDDEN ? createVariables({}) : covered;
    return { variables: { ...inner, covered: { ...own, opaque: HIDDEN } } };
  } catch (cause) {
    return { error: `${path}.vars: ${messageOf(cause)}` };
  }
}

/** Reads the covered variables, if there are any. Returns `HIDDEN` if the placeholders make the reading fail. */
export function readCovered<T>(
  { covered }: Variables,
  read: (variables: Variables) => T,
): T | typeof HIDDEN | undefined {
  try {
    return covered && read(covered);
  } catch {
    return HIDDEN;
  }
}
