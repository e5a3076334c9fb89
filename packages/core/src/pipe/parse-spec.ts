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

/** Of a step that is none of the three kinds, the issues of the kind it was meant to be are told. */
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
  if (!isJsonObject(value)) return [{ path, message: `a step must be an object; ${ONE_KIND}` }];
  const step = value;
  const [kind, ...more] = STEP_KINDS.filter((name) => step[name] !== undefined);
  if (kind === undefined) return [{ path, message: `this step has no kind; ${ONE_KIND}` }];
  if (more.length > 0) {
    return [{ path, message: `this step has ${[kind, ...more].join(" and ")}; ${ONE_KIND}` }];
  }
  const issues = issue.errors[STEP_KINDS.indexOf(kind)] ?? [];
  return issues.flatMap((inner) => toProblems(inner, { value, path }));
}

const ONE_KIND =
  'write exactly one of {"id", "tool", "args"}, {"id", "parallel": [steps]} and {"id", "pipe": {"steps": [...]}}';
