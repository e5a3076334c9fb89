import { copyJson, type JsonObject } from "../json.ts";
import type { CompiledNested, CompiledPipe, Pipe } from "./compiled-pipe.ts";
import { coverStep, HIDDEN } from "./hidden-steps.ts";
import { weighStep } from "./kept-bytes.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import { innerResults, ranSteps, type StepResult, type StepResults } from "./pipe-result.ts";
import type { Scope } from "./references.ts";
import { type ReadReference, resolveValue } from "./resolve-value.ts";
import { type EndedSteps, type Origins, sourceOf } from "./source-of.ts";

/** What the steps of one list see: the results without their hops. Never changed: a step may hand all of it on. */
export interface PipeScope extends Scope {
  readonly vars: JsonObject;
  readonly steps: StepResults;
  readonly last?: StepResult | undefined;
  /** For the sources of arguments. */
  readonly ended?: EndedSteps | undefined;
  /** Where vars and the items of loops came from, by `vars.NAME` and by the names of the items. */
  readonly origins?: Origins | undefined;
  /** What all results before the next step weigh, those around its pipe included. */
  readonly keptBytes: number;
  readonly covered?: PipeScope | undefined;
}

type Around = Partial<Pick<PipeScope, "keptBytes" | "items" | "origins">>;

export function createScope(vars: JsonObject, { keptBytes = 0, items, origins }: Around = {}) {
  const own = { ...(items && { items }), ...(origins && { origins }) };
  const scope: PipeScope = { vars, steps: {}, keptBytes, ...own };
  return scope;
}

/** The scope of the step after this one, which has ended. One that was skipped is not the last. */
export function addStep<Known extends PipeScope>(scope: Known, step: StepResult): Known {
  const seen = withoutHops(step);
  const keptBytes = scope.keptBytes + weighStep(step);
  const covered = scope.covered && addStep(scope.covered, coverStep(step));
  const steps: Record<string, StepResult> = { ...scope.steps };
  steps[seen.id] = seen;
  const last = step.skipped ? scope.last : seen;
  return { ...scope, steps, last, ended: { step, before: scope.ended }, keptBytes, covered };
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

/**
 * The fields of the contract, without raw results. A step that was skipped, or failed before any call, brought
 * nothing to read.
 */
function withoutHops(step: StepResult): StepResult {
  if (step.skipped) return withoutValues(step);
  if (step.kind === "parallel") return { ...step, children: allWithoutHops(step.children) };
  if (step.kind === "for_each") return { ...step, items: step.items.map(withoutHops) };
  const isEmpty = !step.ok && !hasCalled(step);
  if (step.kind === "pipe") {
    const { result, steps, ...fields } = step;
    const read = { ...fields, ...(!isEmpty && { result }), steps: allWithoutHops(steps) };
    return read as StepResult;
  }
  const { id, ok, error, started_at, duration_ms, skipped, kind, structured, text } = step;
  const told = skipped === undefined ? undefined : { skipped };
  const read = isEmpty ? undefined : { structured, text };
  return { id, ok, error, started_at, duration_ms, ...told, kind, ...read } as StepResult;
}

function withoutValues({ id, kind, ok, error, skipped }: StepResult): StepResult {
  return { id, kind, ok, error, skipped } as StepResult;
}

function hasCalled(step: StepResult): boolean {
  return step.kind === "tool"
    ? step.hops.length > 0
    : Object.values(innerResults(step)).some(hasCalled);
}

function allWithoutHops(steps: StepResults): StepResults {
  return Object.fromEntries(Object.entries(steps).map(([id, step]) => [id, withoutHops(step)]));
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
