import { type JsonObject, messageOf, parsePath } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import type { Pipe } from "../pipe.ts";
import type { CompiledPipe, Origins, ReadReference, StepResult, Variables } from "../types.ts";
import { findSources } from "./find-sources.ts";
import { weighStep } from "./results.ts";
import { coverStep, HIDDEN, isHidden } from "./step-views.ts";
import { resolveValue } from "./values.ts";

type Around = Partial<Pick<Variables, "keptBytes" | "origins">>;

/** Creates the variables of the first step of a list. */
export function createVariables(
  vars: JsonObject,
  { keptBytes = 0, origins }: Around = {},
): Variables {
  return { vars, steps: {}, origins, keptBytes };
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
export function topVariables(
  { vars, origins }: Pick<Pipe, "vars" | "origins">,
  given: JsonObject = {},
): Variables {
  return createVariables({ ...structuredClone(vars), ...given }, { origins });
}

/** Creates the variables of the first step of a nested pipe. `error` is the reason if it cannot begin. */
export function enterNested(
  { pipe, path }: { readonly pipe: Pick<CompiledPipe, "vars">; readonly path: string },
  { variables, limits }: { readonly variables: Variables; readonly limits: PipeLimits },
): { readonly variables: Variables } | { readonly error: string } {
  const enter = (around: Variables) => {
    const origins: Record<string, Origins[string]> = { ...around.origins };
    for (const name of Object.keys(pipe.vars)) delete origins[`vars.${name}`];
    const onRead = (read: ReadReference) => {
      const name = `vars.${parsePath(read.at)[0]}`;
      origins[name] = [...(origins[name] ?? []), ...findSources(around, read)];
    };
    const bounds = { variables: around, maxBytes: limits.maxKeptBytes, onRead };
    const own = resolveValue(pipe.vars, bounds) as JsonObject;
    return createVariables({ ...around.vars, ...own }, { ...around, origins });
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
