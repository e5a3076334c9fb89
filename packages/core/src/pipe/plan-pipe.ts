import { isJsonObject } from "../json.ts";
import type { KnownScope } from "./check-reference.ts";
import type { PipePlan, StepPlan } from "./pipe-plan.ts";
import { joinPath } from "./pipe-problem.ts";
import { STEP_KINDS } from "./pipe-spec.ts";
import { planToolStep } from "./plan-tool-step.ts";
import {
  checkIds,
  checkValue,
  idOf,
  isTooDeep,
  listOf,
  type Planning,
  planValue,
} from "./planning.ts";
import { isForbiddenName } from "./references.ts";
import type { Template } from "./template.ts";

/** Where a step stands: in the spec, in the run, and how deep. */
interface Place {
  readonly at: string;
  readonly path: string;
  readonly depth: number;
  readonly inGroup: boolean;
}

type Vars = ReadonlyMap<string, Template>;

/**
 * Makes the plan of a spec: the one that every engine runs. What is wrong is noted and planning goes
 * on, so that all problems come out at once; shapes are left to the schema.
 */
export function planPipe(planning: Planning, spec: unknown): PipePlan {
  const given = isJsonObject(spec) ? spec.vars : undefined;
  const own = isJsonObject(given) ? given : {};
  checkValue(planning, "vars", own);
  const vars = new Map(
    Object.entries(own).map(([key, value]) => [key, { type: "value", value } as const]),
  );
  const place = { at: "", path: "", depth: 0, inGroup: false };
  return planInner(planning, spec, place, { type: "value", value: own }, vars);
}

function planInner(
  planning: Planning,
  spec: unknown,
  place: Place,
  ownVars: Template,
  vars: Vars,
): PipePlan {
  const { steps: given, return: returns, continue_on_error } = isJsonObject(spec) ? spec : {};
  const list = listOf(planning, given);
  const at = joinPath(place.at, "steps");
  const ids = checkIds(planning, list, at);
  const known = new Map<string, StepPlan | undefined>();
  const steps: StepPlan[] = [];
  let scope: KnownScope = { vars, steps: known, ids };
  list.forEach((raw, index) => {
    const step = planStep(
      planning,
      raw,
      { ...place, at: joinPath(at, index), inGroup: false },
      scope,
    );
    const id = idOf(raw);
    if (id !== undefined) known.set(id, step);
    if (step) steps.push(step);
    scope = { ...scope, last: step };
  });
  const result =
    returns === undefined
      ? undefined
      : planValue(planning, joinPath(place.at, "return"), returns, scope);
  return {
    path: place.path,
    vars: ownVars,
    steps,
    ...(result && { returns: result }),
    continueOnError: continue_on_error === true,
  };
}

function planStep(
  planning: Planning,
  raw: unknown,
  place: Place,
  scope: KnownScope,
): StepPlan | undefined {
  const { limits, problems } = planning;
  planning.steps++;
  if (planning.steps === limits.maxSteps + 1) {
    const message = `this is step ${planning.steps} of the pipe; at most ${limits.maxSteps} may run (limits.maxSteps), groups, children and nested steps counted`;
    problems.push({ path: place.at, message });
  }
  if (planning.steps > limits.maxSteps) return undefined;
  const id = idOf(raw);
  if (!isJsonObject(raw) || id === undefined || isForbiddenName(id)) return undefined;
  const kinds = STEP_KINDS.filter((kind) => raw[kind] !== undefined);
  if (kinds.length !== 1) return undefined;
  const path = joinPath(place.path, place.inGroup ? "children" : "steps");
  const here = { ...place, path: joinPath(path, id) };
  switch (kinds[0]) {
    case "tool":
      return planToolStep(planning, id, raw, here, scope);
    case "parallel":
      return planGroup(planning, id, raw.parallel, here, scope);
    default:
      return planNested(planning, id, raw.pipe, here, scope);
  }
}

function planGroup(
  planning: Planning,
  id: string,
  given: unknown,
  place: Place,
  scope: KnownScope,
): StepPlan {
  const at = joinPath(place.at, "parallel");
  const list = listOf(planning, given);
  const ids = checkIds(planning, list, at);
  const depth = place.depth + (place.inGroup ? 1 : 0);
  const { path } = place;
  if (!isTooDeep(planning, at, depth)) {
    const inner = { ...scope, ids: new Set([...scope.ids, ...ids]) };
    const children = list.flatMap((raw, index) => {
      const child = { at: joinPath(at, index), path, depth, inGroup: true };
      return planStep(planning, raw, child, inner) ?? [];
    });
    return { kind: "parallel", id, path, children };
  }
  return { kind: "parallel", id, path, children: [] };
}

function planNested(
  planning: Planning,
  id: string,
  spec: unknown,
  place: Place,
  scope: KnownScope,
): StepPlan | undefined {
  const at = joinPath(place.at, "pipe");
  const depth = place.depth + 1;
  if (isTooDeep(planning, at, depth)) return undefined;
  const given = isJsonObject(spec) ? spec.vars : undefined;
  const own = planValue(planning, joinPath(at, "vars"), isJsonObject(given) ? given : {}, scope);
  const vars = own.type === "reference" ? undefined : new Map([...scope.vars, ...entriesOf(own)]);
  if (!vars) {
    const message = "vars must be an object of values, each of which may be a reference";
    planning.problems.push({ path: joinPath(at, "vars"), message });
    return undefined;
  }
  const inner = { at, path: place.path, depth, inGroup: false };
  return { kind: "pipe", id, path: place.path, pipe: planInner(planning, spec, inner, own, vars) };
}

function entriesOf(template: Template): (readonly [string, Template])[] {
  if (template.type === "object") return [...template.entries];
  if (template.type !== "value" || !isJsonObject(template.value)) return [];
  return Object.entries(template.value).map(([key, value]) => [key, { type: "value", value }]);
}
