import type { StepPlan } from "./pipe-plan.ts";
import { type ReferencePath, readReference } from "./references.ts";
import type { Template } from "./template.ts";

/** What is known of a pipe's values at one of its steps, before anything runs. */
export interface KnownScope {
  /** The vars in sight, and what is known of each. */
  readonly vars: ReadonlyMap<string, Template>;
  /** Steps before this one; `undefined` for one that is itself broken. */
  readonly steps: ReadonlyMap<string, StepPlan | undefined>;
  /** Ids of all steps of the list, those still to come included. */
  readonly ids: ReadonlySet<string>;
  readonly last?: StepPlan | undefined;
}

const COMMON = ["id", "kind", "ok", "error", "started_at", "duration_ms"];
const FIELDS = {
  tool: ["structured", "text", ...COMMON],
  parallel: ["children", ...COMMON],
  pipe: ["result", "steps", ...COMMON],
} as const;
const OPEN = new Set(["structured", "result"]);

/** What is wrong with a reference as far as can be known before the first call. */
export function checkReference(path: ReferencePath, scope: KnownScope): string | undefined {
  const [root, name] = path.keys;
  if (root === "vars") return name === undefined ? undefined : checkVar(path, name, scope);
  if (root === "last") {
    if (scope.steps.size === 0) return `"${path.text}": there is no step before this one`;
    return scope.last && checkFields(path, 1, scope.last);
  }
  if (name === undefined) return undefined;
  if (!scope.steps.has(name)) {
    return scope.ids.has(name)
      ? `"${path.text}": step "${name}" has not run by then; refer to earlier steps only`
      : `"${path.text}": there is no step "${name}" here; ${known("steps before it", scope.steps)}`;
  }
  const step = scope.steps.get(name);
  return step && checkFields(path, 2, step);
}

function checkVar(path: ReferencePath, name: string, { vars }: KnownScope): string | undefined {
  const template = vars.get(name);
  if (!template) return `"${path.text}": there is no var "${name}"; ${known("vars", vars)}`;
  if (template.type !== "value") return undefined;
  const reading = readReference(template.value, path, { from: 2 });
  return reading.found ? undefined : `"${path.text}": ${reading.message}`;
}

function known(what: string, map: ReadonlyMap<string, unknown>): string {
  return map.size === 0 ? `there are no ${what}` : `${what}: ${[...map.keys()].join(", ")}`;
}

function checkFields(path: ReferencePath, at: number, step: StepPlan): string | undefined {
  const field = path.keys[at];
  if (field === undefined) return undefined;
  const fields: readonly string[] = FIELDS[step.kind];
  if (!fields.includes(field)) {
    return `"${path.text}": the result of ${step.path} has no "${field}"; it has ${fields.join(", ")}`;
  }
  const name = path.keys[at + 1];
  if (name === undefined || OPEN.has(field)) return undefined;
  if (field === "children" || field === "steps") {
    const inner = innerSteps(step).find(({ id }) => id === name);
    if (inner) return checkFields(path, at + 2, inner);
    const ids = innerSteps(step).map(({ id }) => id);
    return `"${path.text}": ${step.path} has no "${name}"; it has ${ids.join(", ")}`;
  }
  return `"${path.text}": "${field}" has no parts`;
}

function innerSteps(step: StepPlan): readonly StepPlan[] {
  if (step.kind === "parallel") return step.children;
  return step.kind === "pipe" ? step.pipe.steps : [];
}
