import type { JsonObject } from "@toolrail/json";
import { createBudget, parseExpression } from "@toolrail/json/cel";
import type { Evaluate, Variables } from "../types.ts";
import { createRoots, readReference } from "../variables/values.ts";

/**
 * Creates an evaluator for the expressions of a checked spec, all within one budget. An expression by a model reads no content
 * for the user alone, since its value, or whether the step runs, could disclose that content.
 */
export function createEvaluator(variables: Variables): Evaluate {
  const budget = createBudget();
  const view = (variables.author === "model" && variables.covered) || variables;
  const roots = createRoots(view, true);
  return (source, onPath) => {
    const expression = parseExpression(source, { roots: Object.keys(roots) });
    if (typeof expression === "string") return { ok: false, message: expression };
    if (onPath) expression.paths.forEach(onPath);
    for (const keys of view.opaque === undefined ? [] : expression.paths) {
      const reading = readReference(view, keys);
      if (!reading.found || reading.value !== view.opaque) continue;
      if (view === variables) return { ok: true, value: view.opaque };
      const message = `"${keys.join(".")}" is only for the user: a model's expression may not read it`;
      return { ok: false, message };
    }
    return expression.evaluate({ ...roots, steps: withoutNulls(roots.steps) }, budget);
  };
}

export function decideWhen(variables: Variables, source: string): boolean | string {
  const evaluation = createEvaluator(variables)(source);
  if (!evaluation.ok) return `when: ${evaluation.message}`;
  const { value } = evaluation;
  return typeof value === "boolean" ? value : "when: the expression must return true or false";
}

/** Removes null fields from steps, so that `has(steps.a.structured)` is false for null. */
function withoutNulls(steps: unknown): JsonObject {
  const entries = Object.entries(steps as JsonObject).map(([id, step]) => {
    if ((step as JsonObject).structured !== null) return [id, step];
    const { structured: _, ...shown } = Object.getOwnPropertyDescriptors(step as JsonObject);
    return [id, Object.defineProperties({}, shown)];
  });
  return Object.fromEntries(entries);
}
