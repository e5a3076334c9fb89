import { type Budget, createBudget } from "../expression/budget.ts";
import { type Evaluation, parseExpression } from "../expression/expression.ts";
import type { JsonObject } from "../json.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { readReference, rootsOf } from "./references.ts";

/**
 * Evaluates an expression of a checked spec. One that a model wrote reads nothing that is for the user alone: neither
 * its value nor whether the step runs may tell of it.
 */
export function evaluateIn(
  scope: PipeScope,
  {
    source,
    budget = createBudget(),
    onPath,
  }: {
    readonly source: string;
    readonly budget?: Budget;
    /** Told of each path that it reads. */
    onPath?(keys: readonly string[]): void;
  },
): Evaluation {
  const view = (scope.author === "model" && scope.covered) || scope;
  const roots = rootsOf(view);
  const expression = parseExpression(source, { roots: Object.keys(roots) });
  if (typeof expression === "string") return { ok: false, message: expression };
  if (onPath) expression.paths.forEach(onPath);
  for (const keys of view.opaque === undefined ? [] : expression.paths) {
    const reading = readReference(view, keys);
    if (!reading.found || reading.value !== view.opaque) continue;
    if (view === scope) return { ok: true, value: view.opaque };
    const message = `"${keys.join(".")}" is only for the user: a model's expression may not read it; pass it on by $ref`;
    return { ok: false, message };
  }
  return expression.evaluate({ ...roots, steps: withoutNulls(roots.steps) }, budget);
}

/** Whether a step is to run. A string says why that cannot be known. */
export function decideWhen(scope: PipeScope, source: string): boolean | string {
  const evaluation = evaluateIn(scope, { source });
  if (!evaluation.ok) return `when: ${evaluation.message}`;
  const { value } = evaluation;
  return typeof value === "boolean" ? value : "when: the expression must return true or false";
}

/** The steps as expressions see them: `has(steps.a.structured)` is false where there is nothing. */
function withoutNulls(steps: unknown): JsonObject {
  const entries = Object.entries(steps as JsonObject).map(([id, step]) => {
    const { structured, ...shown } = step as JsonObject;
    return [id, structured === null ? shown : step];
  });
  return Object.fromEntries(entries);
}
