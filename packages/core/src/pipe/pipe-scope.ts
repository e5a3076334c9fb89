import type { JsonObject } from "../json.ts";
import type { CompiledNested, CompiledPipe } from "./compiled-pipe.ts";
import { weighStep } from "./kept-bytes.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import { innerResults, type StepResult, type StepResults } from "./pipe-result.ts";
import type { Scope } from "./references.ts";
import { resolveValue } from "./resolve-value.ts";
import { callsOfStep, type StepCalls } from "./step-calls.ts";

/** What the steps of one list see: the results without their hops. Never changed: a step may hand all of it on. */
export interface PipeScope extends Scope {
  readonly vars: JsonObject;
  readonly steps: StepResults;
  readonly last?: StepResult;
  /** The calls whose results a path reads, for the sources of arguments. */
  readonly calls: StepCalls;
  /** What all results before the next step weigh, those around its pipe included. */
  readonly keptBytes: number;
}

export function createScope(vars: JsonObject, keptBytes = 0): PipeScope {
  return { vars, steps: {}, calls: {}, keptBytes };
}

/** The scope of the step after this one, which has ended. */
export function addStep<Known extends PipeScope>(scope: Known, step: StepResult): Known {
  const last = withoutHops(step);
  const keptBytes = scope.keptBytes + weighStep(step);
  const calls = { ...scope.calls, ...callsOfStep(step) };
  return { ...scope, steps: { ...scope.steps, [last.id]: last }, last, calls, keptBytes };
}

/** The fields of the contract, without raw results. A step that failed before any call brought nothing to read. */
function withoutHops(step: StepResult): StepResult {
  if (step.kind === "parallel") return { ...step, children: allWithoutHops(step.children) };
  const isEmpty = !step.ok && !hasCalled(step);
  if (step.kind === "pipe") {
    const { result, steps, ...fields } = step;
    const read = { ...fields, ...(!isEmpty && { result }), steps: allWithoutHops(steps) };
    return read as StepResult;
  }
  const { hops: _, structured, text, ...fields } = step;
  return (isEmpty ? fields : { ...fields, structured, text }) as StepResult;
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
export function topScope({ vars }: CompiledPipe, given: JsonObject = {}): PipeScope {
  return createScope({ ...structuredClone(vars), ...given });
}

/** What the first step of a nested pipe sees, or why it cannot begin. */
export function enterNested(
  { pipe, path }: CompiledNested,
  { scope, limits }: { readonly scope: PipeScope; readonly limits: PipeLimits },
): { readonly scope: PipeScope } | { readonly error: string } {
  try {
    const own = resolveValue(pipe.vars, { scope, maxBytes: limits.maxKeptBytes });
    const vars = { ...scope.vars, ...(own as JsonObject) };
    return { scope: createScope(vars, scope.keptBytes) };
  } catch (cause) {
    return { error: `${path}.vars: ${cause instanceof Error ? cause.message : cause}` };
  }
}
