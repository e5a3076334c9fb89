import { isJsonObject } from "../json.ts";
import { joinPath, type PipeProblem, toPipeError } from "./pipe-problem.ts";
import { type PipeSpec, pipeSpec, STEP_KINDS } from "./pipe-spec.ts";
import { findForbiddenKey } from "./references.ts";

type Issue = NonNullable<ReturnType<typeof pipeSpec.safeParse>["error"]>["issues"][number];

/** The spec as a typed value. Recursive: measure and count the value first. Throws `invalid-pipe`. */
export function parseSpec(value: unknown): PipeSpec {
  const path = findForbiddenKey(value, "");
  if (path) throw toPipeError([{ path, message: "this key is not allowed; rename it" }]);
  const { data, error } = pipeSpec.safeParse(value);
  if (!error) return data;
  throw toPipeError(error.issues.flatMap((issue) => toProblems(issue, { value, path: "" })));
}

/** Of a step that is of no kind, the issues of the kind it was meant to be are told. */
function toProblems(
  issue: Issue,
  base: { readonly value: unknown; readonly path: string },
): PipeProblem[] {
  let { value, path } = base;
  for (const key of issue.path) {
    path = joinPath(path, typeof key === "number" ? key : String(key));
    value = Object(value)[key];
  }
  if (issue.code !== "invalid_union") {
    return [{ path: path === "" ? "spec" : path, message: issue.message }];
  }
  const isBody = issue.path.at(-1) === "do";
  const kinds: readonly string[] = isBody ? ["tool", "pipe"] : STEP_KINDS;
  const oneKind = isBody ? ONE_BODY : ONE_KIND;
  if (!isJsonObject(value)) return [{ path, message: `a step must be an object; ${oneKind}` }];
  const step = value;
  const [kind, ...more] = kinds.filter((name) => step[name] !== undefined);
  if (kind === undefined) return [{ path, message: `this step has no kind; ${oneKind}` }];
  if (more.length > 0) {
    return [{ path, message: `this step has ${[kind, ...more].join(" and ")}; ${oneKind}` }];
  }
  const issues = issue.errors[kinds.indexOf(kind)] ?? [];
  return issues.flatMap((inner) => toProblems(inner, { value, path }));
}

const ONE_KIND =
  'write exactly one of {"id", "tool", "args"}, {"id", "parallel": [steps]}, {"id", "pipe": {"steps": [...]}} and {"id", "for_each": list, "do": {...}}';
const ONE_BODY = 'write {"tool", "args"} or {"pipe": {"steps": [...]}}, without an id';
