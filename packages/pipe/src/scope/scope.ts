import { copyJson, type JsonObject, messageOf, parsePath } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import { FLOW, type Pipe } from "../pipe.ts";
import type { CompiledPipe, Origins, PipeScope, ReadReference, StepResult } from "../types.ts";
import { weighStep } from "./results.ts";
import { sourceOf } from "./source-of.ts";
import { coverStep, HIDDEN, isHidden } from "./step-views.ts";
import { resolveValue } from "./values.ts";

type Around = Partial<Pick<PipeScope, "keptBytes" | "items" | "origins" | "author" | "flow">>;

/** Creates the scope of the first step of a list. */
export function createScope(
  vars: JsonObject,
  { keptBytes = 0, items, origins, author, flow }: Around = {},
): PipeScope {
  return { author, flow, vars, steps: {}, items, origins, keptBytes };
}

/**
 * Creates the scope of the step after this one, which has ended. A step that was skipped is not the last. A content that may not
 * be read is covered from its first step on.
 */
export function addStep(scope: PipeScope, step: StepResult): PipeScope {
  const steps = { ...scope.steps, [step.id]: step };
  const last = step.skipped ? scope.last : step;
  const after = { ...scope, steps, last, keptBytes: scope.keptBytes + weighStep(step) };
  if (!scope.covered && (scope.opaque !== undefined || !isHidden(step))) return after;
  const covered = scope.covered ?? { ...scope, opaque: HIDDEN };
  return { ...after, covered: addStep(covered, coverStep(step)) };
}

/** Creates the scope of the first step of a run: the `vars` of the spec, which are data, overlaid by those given. */
export function topScope(
  { vars, author, origins, [FLOW]: flow }: Pick<Pipe, "vars" | "author" | "origins" | typeof FLOW>,
  given: JsonObject = {},
): PipeScope {
  return createScope({ ...copyJson(vars), ...given }, { origins, author, flow });
}

/** Creates the scope of the first step of a nested pipe. `error` says why it cannot begin. */
export function enterNested(
  { pipe, path }: { readonly pipe: Pick<CompiledPipe, "vars">; readonly path: string },
  { scope, limits }: { readonly scope: PipeScope; readonly limits: PipeLimits },
): { readonly scope: PipeScope } | { readonly error: string } {
  const enter = (around: PipeScope) => {
    const origins: Record<string, Origins[string]> = { ...around.origins };
    for (const name of Object.keys(pipe.vars)) delete origins[`vars.${name}`];
    const onRead = (read: ReadReference) => {
      const name = `vars.${parsePath(read.at)[0]}`;
      origins[name] = [...(origins[name] ?? []), ...sourceOf(around, read)];
    };
    const bounds = { scope: around, maxBytes: limits.maxKeptBytes, onRead };
    const own = resolveValue(pipe.vars, bounds) as JsonObject;
    return createScope({ ...around.vars, ...own }, { ...around, origins });
  };
  try {
    const inner = enter(scope);
    const covered = readCovered(scope, enter);
    if (!covered) return { scope: inner };
    const own = covered === HIDDEN ? createScope({}, { flow: scope.flow }) : covered;
    return { scope: { ...inner, covered: { ...own, opaque: HIDDEN } } };
  } catch (cause) {
    return { error: `${path}.vars: ${messageOf(cause)}` };
  }
}

/** Reads the covered scope, if there is one. Returns `HIDDEN` if its placeholders do not fit. */
export function readCovered<T>(
  { covered }: PipeScope,
  read: (scope: PipeScope) => T,
): T | typeof HIDDEN | undefined {
  try {
    return covered && read(covered);
  } catch {
    return HIDDEN;
  }
}
