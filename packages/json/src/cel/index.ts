import { messageOf } from "../plain-text.ts";
import { evaluateNode } from "./evaluate.ts";
import { type Node, parseSyntax, syntaxError } from "./parse.ts";
import { type Budget, createBudget, toJson } from "./values.ts";

/** The result of an expression: a JSON value that shares nothing with the input, or the reason for a failure. */
export type Evaluation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** A parsed expression. */
export interface Expression {
  readonly source: string;
  /** The keys from a root to each value that it reads, as far as known: `steps.a.rows[i]` reads `["steps", "a", "rows"]`. */
  readonly paths: readonly (readonly string[])[];
  /** Evaluates the expression on the own properties of a view's JSON values. Never throws. `budget` is a new one by default. */
  evaluate(view: object, budget?: Budget): Evaluation;
}

const MAX_SOURCE = 2_000;
const MAX_LOOPS = 3;

/**
 * Parses an expression in a subset of CEL (https://cel.dev): JSON values, all operators, `has`, the five loops, and functions
 * on numbers and strings. `roots` are the names that it may read. Returns a message with the mistake and its position if the
 * source is invalid.
 */
export function parseExpression(
  source: string,
  { roots }: { readonly roots: readonly string[] },
): Expression | string {
  if (source.length > MAX_SOURCE) return `it is longer than ${MAX_SOURCE} characters`;
  try {
    const node = parseSyntax(source);
    const paths = findPaths(node, { roots, loops: [] });
    const evaluate: Expression["evaluate"] = (view, budget = createBudget()) => {
      try {
        const value = evaluateNode(node, { view, budget, items: new Map() });
        return { ok: true, value: toJson(value, budget) };
      } catch (cause) {
        return { ok: false, message: messageOf(cause) };
      }
    };
    return { source, paths, evaluate };
  } catch (cause) {
    return messageOf(cause);
  }
}

/** Finds the longest paths that a tree reads. Throws a `SyntaxError` for unknown names and for too deeply nested loops. */
function findPaths(
  node: Node,
  names: { readonly roots: readonly string[]; readonly loops: readonly string[] },
): Expression["paths"] {
  const { roots, loops } = names;
  const { op, args, start } = node;
  const path = toPath(node);
  if (path) {
    const [root = ""] = path;
    if (loops.includes(root)) return [];
    if (roots.includes(root)) return [path];
    throw syntaxError(`there is no ${root} here; use ${[...roots, ...loops].join(", ")}`, start);
  }
  if (op !== "loop") return args.flatMap((inner) => findPaths(inner, names));
  const [list, as, ...parts] = args as [Node, Node, ...Node[]];
  if (roots.includes(as.name)) throw syntaxError(`the name ${as.name} is already taken`, as.start);
  const inside = { roots, loops: [...loops, as.name] };
  if (loops.length === MAX_LOOPS) throw syntaxError(`more than ${MAX_LOOPS} nested loops`, start);
  return [...findPaths(list, names), ...parts.flatMap((part) => findPaths(part, inside))];
}

function toPath({ op, name, args }: Node): readonly string[] | undefined {
  if (op === "name") return [name];
  const [of, by] = args;
  const path = of && (op === "select" || op === "has" || op === "index") ? toPath(of) : undefined;
  if (op !== "index") return path && [...path, name];
  return path && by?.op === "value" ? [...path, String(by.value)] : undefined;
}

export { createBudget } from "./values.ts";
