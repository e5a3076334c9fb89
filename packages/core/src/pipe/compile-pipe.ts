import type { JsonObject } from "../json.ts";
import { compileStep } from "./compile-step.ts";
import type { CompiledPipe, CompiledStep } from "./compiled-pipe.ts";
import {
  checkFlow,
  checkValue,
  type KnownScope,
  knownResult,
  type Noting,
  note,
  type Site,
  UNKNOWN,
  within,
} from "./known-scope.ts";
import { mapReferences } from "./map-references.ts";
import { joinPath } from "./pipe-problem.ts";
import { byId, type StepResult } from "./pipe-result.ts";
import { createScope } from "./pipe-scope.ts";
import type { PipeSpec, PipeStep } from "./pipe-spec.ts";
import { isForbiddenName } from "./references.ts";

/** A list of steps, each of which may refer to those before it and to the vars in scope, and its `return`. */
export function compileSteps(spec: PipeSpec, site: Site): CompiledPipe {
  const list = within({ ...site, path: joinPath(site.path, "steps") }, "steps");
  const ids = checkIds(spec.steps, list);
  const isData = spec.order === "data";
  if (spec.order !== undefined) checkFlow(within(site, "order"));
  const { vars: around, items } = site.scope;
  let scope: KnownScope = { ...createScope(around, { items }), opaque: UNKNOWN, ids };
  const results = spec.steps.map(knownResult);
  const steps = spec.steps.map((step, index) => {
    const seen = isData ? { ...scope, steps: byId(results), unordered: ["last", "steps"] } : scope;
    const needs = new Set<string>();
    const compiled = compileStep(step, { ...within(list, index), scope: seen, needs });
    scope = addKnown(scope, results[index] as StepResult);
    const before = spec.steps.slice(Math.max(index - 1, 0), index).map(({ id }) => id);
    return isData ? compiled : { ...compiled, needs: before };
  });
  const { vars = {}, continue_on_error: continueOnError = false } = spec;
  const end = isData ? { ...scope, unordered: ["last"] } : scope;
  const last = { ...within(site, "return"), scope: end, needs: new Set<string>() };
  const { parsed: returns } = checkValue(spec.return, last);
  const sequence = isData ? sequenceOf(steps, list) : undefined;
  return { path: site.path, vars, steps, sequence, returns, continueOnError };
}

/** The scope after a step. What is last cannot be known where that may be skipped. */
function addKnown(scope: KnownScope, result: StepResult): KnownScope {
  const last = result.skipped === undefined ? result : (UNKNOWN as unknown as StepResult);
  return { ...scope, steps: { ...scope.steps, [result.id]: result }, last };
}

/** What is known of the `vars` of a nested pipe, which may refer to the pipe around it. */
export function knownVars({ vars = {} }: PipeSpec, site: Site): JsonObject {
  const own = within(site, "vars");
  checkValue(vars, own);
  if (Object.hasOwn(vars, "$ref") || Object.hasOwn(vars, "$cel")) {
    note(own, "vars must be an object of values, each of which may be a reference");
  }
  return Object(mapReferences(vars, { at: own.at, read: () => UNKNOWN }));
}

/** The ids of a list. Notes those that are blank, reserved or there twice. */
export function checkIds(list: readonly PipeStep[], site: Noting): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of list.entries()) {
    const own = within(within(site, index), "id");
    if (id.trim() === "") note(own, "the id is blank; give the step a name");
    if (isForbiddenName(id)) note(own, `the id ${id} is not allowed`);
    if (ids.has(id)) note(own, `the id "${id}" is used twice in this list; rename one`);
    ids.add(id);
  }
  return ids;
}

/** The ids of steps, each after those that it needs, else as they are listed. Notes steps that wait for one another. */
function sequenceOf(steps: readonly CompiledStep[], site: Noting): readonly string[] {
  const sequence = new Set<string>();
  const isReady = ({ id, needs }: CompiledStep) =>
    !sequence.has(id) && needs.every((need) => sequence.has(need));
  for (let next = steps.find(isReady); next; next = steps.find(isReady)) sequence.add(next.id);
  const stuck = steps.find(({ id }) => !sequence.has(id));
  if (!stuck) return [...sequence];
  const trail: string[] = [];
  let step: CompiledStep | undefined = stuck;
  while (step && !trail.includes(step.id)) {
    trail.push(step.id);
    const need: string | undefined = step.needs.find((id) => !sequence.has(id));
    step = steps.find(({ id }) => id === need);
  }
  const circle = [...trail.slice(trail.indexOf(step?.id ?? "")), step?.id].join(" → ");
  note(site, `steps ${circle} wait for each other; let one of them refer to something else`);
  return steps.map(({ id }) => id);
}
