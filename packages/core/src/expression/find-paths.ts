import type { Node } from "./parse-syntax.ts";
import { syntaxError } from "./tokens.ts";

/** The keys from a root to a value: `steps.a.structured` is `["steps", "a", "structured"]`. */
export type ExpressionPath = readonly string[];

/** A path that an expression reads, and whether `has()` asks for it. */
interface FoundPath {
  readonly path: ExpressionPath;
  readonly isAsked: boolean;
}

const MAX_LOOPS = 3;

/** The longest paths that a tree reads. Throws a `SyntaxError` for unknown names and for too deeply nested loops. */
export function findPaths(
  node: Node,
  names: { readonly roots: readonly string[]; readonly loops: readonly string[] },
): readonly FoundPath[] {
  const { roots, loops } = names;
  const { op, args, start } = node;
  const path = pathOf(node);
  if (path) {
    const [root = ""] = path;
    if (loops.includes(root)) return [];
    if (roots.includes(root)) return [{ path, isAsked: op === "has" }];
    throw syntaxError(`there is no ${root} here; use ${[...roots, ...loops].join(", ")}`, start);
  }
  if (op !== "loop") return args.flatMap((inner) => findPaths(inner, names));
  const [list, as, ...parts] = args as [Node, Node, ...Node[]];
  if (roots.includes(as.name)) throw syntaxError(`the name ${as.name} is already taken`, as.start);
  const inside = { roots, loops: [...loops, as.name] };
  if (loops.length === MAX_LOOPS) throw syntaxError(`more than ${MAX_LOOPS} nested loops`, start);
  return [...findPaths(list, names), ...parts.flatMap((part) => findPaths(part, inside))];
}

function pathOf({ op, name, args }: Node): ExpressionPath | undefined {
  if (op === "name") return [name];
  const [of, by] = args;
  const path = of && (op === "select" || op === "has" || op === "index") ? pathOf(of) : undefined;
  if (op !== "index") return path && [...path, name];
  return path && by?.op === "value" ? [...path, String(by.value)] : undefined;
}
