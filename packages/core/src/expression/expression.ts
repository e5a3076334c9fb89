import type { JsonObject } from "../json.ts";
import { type Budget, createBudget } from "./budget.ts";
import { evaluateNode } from "./evaluate.ts";
import { type ExpressionPath, findPaths } from "./find-paths.ts";
import { parseSyntax } from "./parse-syntax.ts";
import { toJson } from "./values.ts";

/** The result of an expression: a JSON value that shares nothing with the input, or why there is none. */
export type Evaluation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** An expression that has been checked. */
export interface Expression {
  readonly source: string;
  /** The paths it reads, as far as known beforehand: `steps.a.rows[i]` reads `["steps", "a", "rows"]`. */
  readonly paths: readonly ExpressionPath[];
  /** Those among `paths` that `has()` asks for. */
  readonly asked: readonly ExpressionPath[];
  /** Reads own properties of the view's JSON values. Never throws, and stays within the budget. */
  evaluate(view: JsonObject, budget?: Budget): Evaluation;
}

const MAX_SOURCE = 2_000;

/**
 * Parses an expression in a subset of CEL (https://cel.dev): JSON values, all operators, `has`, the five
 * loops, and functions on numbers and strings. Returns a string that says what is wrong with the source, and where.
 */
export function parseExpression(
  source: string,
  { roots }: { readonly roots: readonly string[] },
): Expression | string {
  if (source.length > MAX_SOURCE) return `it is longer than ${MAX_SOURCE} characters`;
  try {
    const node = parseSyntax(source);
    const found = findPaths(node, { roots, loops: [] });
    const evaluate: Expression["evaluate"] = (view, budget = createBudget()) => {
      try {
        return {
          ok: true,
          value: toJson(evaluateNode(node, { view, budget, items: new Map() }), budget),
        };
      } catch (cause) {
        return { ok: false, message: messageOf(cause) };
      }
    };
    const asked = found.filter(({ isAsked }) => isAsked).map(({ path }) => path);
    return { source, paths: found.map(({ path }) => path), asked, evaluate };
  } catch (cause) {
    return messageOf(cause);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
