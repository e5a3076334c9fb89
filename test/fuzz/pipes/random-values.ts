import type { StepPlan } from "./random-specs.ts";

/** What a value may refer to: the steps before it, and the vars in scope. */
export interface Seen {
  readonly before: readonly StepPlan[];
  readonly vars: readonly string[];
}

/** A text, with or without references. */
export function toText(pick: number, seen: Seen): string {
  const value = toValue(pick, seen);
  return typeof value === "string" ? value : "${vars.q}";
}

/** Any value, with or without references: most of them can be read. */
export function toValue(pick: number, { before, vars }: Seen): unknown {
  const named = before.filter(isNamed);
  const step = named[pick % Math.max(named.length, 1)];
  const own = `vars.${vars[pick % vars.length]}`;
  const plain = ["text", `<\${${own}}>`, { $ref: own }, 7, "costs $5 {x} ${ }", [null, true]];
  const values = [...plain, ...(step ? valuesOf(step) : [])];
  // The first reference that misses ends most pipes.
  const isMiss = pick > 92 && step?.tool !== undefined;
  return isMiss
    ? { $ref: `steps.${step.id}.structured.no.such` }
    : values[(pick >> 2) % values.length];
}

/** Values that refer to a step, by what every step of its kind has. */
function valuesOf(step: StepPlan): unknown[] {
  const { id, tool, pipe, parallel } = step;
  const path = `steps.${id}`;
  const [child] = (parallel ?? pipe?.steps ?? []).filter(isNamed);
  const inside = child && `${path}.${parallel ? "children" : "steps"}.${child.id}`;
  return [
    { $ref: tool === undefined ? `${path}.ok` : `${path}.structured.v` },
    { $ref: tool === undefined ? `${path}.id` : `${path}.structured.list.1` },
    { $ref: pipe ? `${path}.result` : `${path}.kind` },
    `\${${path}.error} \${last.ok}`,
    { whole: [{ $ref: path }], last: { $ref: "last" }, text: "${last}" },
    { $ref: "steps" },
    { $ref: inside ? `${inside}.ok` : `${path}.duration_ms` },
    { $ref: inside ?? path },
  ];
}

/** No path can name an id with a dot. */
function isNamed({ id }: StepPlan): boolean {
  return !id.includes(".");
}
