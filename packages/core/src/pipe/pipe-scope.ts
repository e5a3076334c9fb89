import { copyJson, type JsonObject } from "../json.ts";
import type { CompiledNested, CompiledPipe, Pipe } from "./compiled-pipe.ts";
import { coverStep, HIDDEN } from "./hidden-steps.ts";
import { weighStep } from "./kept-bytes.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import { ranSteps, type StepResult, type StepResults } from "./pipe-result.ts";
import type { Scope } from "./references.ts";
import { type ReadReference, resolveValue } from "./resolve-value.ts";
import { type Origins, sourceOf } from "./source-of.ts";

/** What the steps of one list see. Never changed: a step may hand all of it on. */
export interface PipeScope extends Scope {
  readonly vars: JsonObject;
  /** Where vars and the items of loops came from, by `vars.NAME` and by the names of the items. */
  readonly origins?: Origins | undefined;
  /** What all results before the next step weigh, those around its pipe included. */
  readonly keptBytes: number;
  readonly covered?: PipeScope | undefined;
}

type Around = Partial<Pick<PipeScope, "keptBytes" | "items" | "origins">>;

/** The scope of the first step of a list. */
export function createScope(vars: JsonObject, { keptBytes = 0, items, origins }: Around = {}) {
  const own = { ...(items && { items }), ...(origins && { origins }) };
  const scope: PipeScope = { vars, steps: {}, keptBytes, ...own };
  return scope;
}

/** The scope of the step after this one, which has ended. One that was skipped is not the last. */
export function addStep<Known extends PipeScope>(scope: Known, step: StepResult): Known {
  const keptBytes = scope.keptBytes + weighStep(step);
  const covered = scope.covered && addStep(scope.covered, coverStep(step));
  const steps: Record<string, StepResult> = { ...scope.steps };
  steps[step.id] = step;
  return { ...scope, steps, last: step.skipped ? scope.last : step, keptBytes, covered };
}

/** The scope after those steps of a pipe that have ended and are wanted. */
export function addSteps<Known extends PipeScope>(
  scope: Known,
  {
    pipe,
    results,
    ids,
  }: { pipe: CompiledPipe; results: StepResults; ids?: readonly string[] | undefined },
): Known {
  const wanted = pipe.steps.filter(({ id }) => !ids || ids.includes(id));
  return ranSteps(wanted, results).reduce((before, [, result]) => addStep(before, result), scope);
}

/** What the first step of a run sees: the `vars` of the spec, which are data, overlaid by those given. */
export function topScope(
  { vars, author, origins }: Pick<Pipe, "vars" | "author" | "origins">,
  given: JsonObject = {},
): PipeScope {
  const scope = createScope({ ...copyJson(vars), ...given }, { origins });
  return author === "model" ? { ...scope, covered: { ...scope, opaque: HIDDEN } } : scope;
}

/** What the first step of a nested pipe sees, or why it cannot begin. */
export function enterNested(
  { pipe, path }: CompiledNested,
  { scope, limits }: { readonly scope: PipeScope; readonly limits: PipeLimits },
): { readonly scope: PipeScope } | { readonly error: string } {
  const enter = (around: PipeScope) => {
    const origins: Record<string, Origins[string]> = { ...around.origins };
    for (const name of Object.keys(pipe.vars)) delete origins[`vars.${name}`];
    const onRead = (read: ReadReference) => {
      const name = `vars.${read.at.split(/[.[]/)[0]}`;
      origins[name] = [...(origins[name] ?? []), ...sourceOf(around, read)];
    };
    const bounds = { scope: around, maxBytes: limits.maxKeptBytes, onRead };
    const own = resolveValue(pipe.vars, bounds) as JsonObject;
    return createScope({ ...around.vars, ...own }, { ...around, origins });
  };
  try {
    const { covered } = scope;
    if (!covered) return { scope: enter(scope) };
    return { scope: { ...enter(scope), covered: { ...enter(covered), opaque: HIDDEN } } };
  } catch (cause) {
    return { error: `${path}.vars: ${cause instanceof Error ? cause.message : cause}` };
  }
}

/** What the step of one item sees. */
export function enterItem(
  scope: PipeScope,
  item: {
    readonly as: string;
    readonly value: unknown;
    readonly covered?: unknown;
    /** Where it came from. */
    readonly from?: Origins[string];
  },
): PipeScope {
  const { covered } = scope;
  const { as, value, from = [] } = item;
  const items = { ...scope.items, [as]: value };
  const origins = { ...scope.origins, [as]: from };
  if (!covered) return { ...scope, items, origins };
  return { ...scope, items, origins, covered: enterItem(covered, { as, value: item.covered }) };
}
