import { isJsonObject } from "../json.ts";
import { joinPath, type PipeProblem } from "./pipe-problem.ts";
import { pipeSpec, STEP_KINDS } from "./pipe-spec.ts";

type Issue = NonNullable<ReturnType<typeof pipeSpec.safeParse>["error"]>["issues"][number];

/** What the schema finds wrong with a spec, in our words. Recursive: the depth must have been measured. */
export function findSpecProblems(spec: unknown): PipeProblem[] {
  const { error } = pipeSpec.safeParse(spec);
  return (error?.issues ?? []).flatMap((issue) => toProblems(issue, spec, ""));
}

function toProblems(issue: Issue, value: unknown, base: string): PipeProblem[] {
  const path = issue.path.reduce<string>(
    (place, key) => joinPath(place, typeof key === "number" ? key : String(key)),
    base,
  );
  const member = memberAt(value, issue.path);
  const kinds = isJsonObject(member) ? STEP_KINDS.filter((kind) => member[kind] !== undefined) : [];
  if (kinds.length > 1) {
    return [{ path, message: `this step has ${kinds.join(" and ")}; ${ONE_KIND}` }];
  }
  if (issue.code !== "invalid_union") {
    return [{ path: path === "" ? "spec" : path, message: toMessage(issue) }];
  }
  const [kind] = kinds;
  if (kind === undefined) {
    const what = isJsonObject(member) ? "this step has no kind" : "a step must be an object";
    return [{ path, message: `${what}; ${ONE_KIND}` }];
  }
  const issues = issue.errors[STEP_KINDS.indexOf(kind)] ?? [];
  return issues.flatMap((inner) => toProblems(inner, member, path));
}

const ONE_KIND =
  'write exactly one of {"id", "tool", "args"}, {"id", "parallel": [steps]} and {"id", "pipe": {"steps": [...]}}';

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null
        ? (node as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  );
}

function toMessage(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `this must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "too_small":
      return issue.origin === "array"
        ? "the list is empty; write at least one step"
        : "this is empty";
    case "unrecognized_keys":
      return `${issue.keys.map((key) => `"${key}"`).join(", ")} is not known here${hintFor(issue.keys)}`;
    default:
      return issue.message;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list of steps",
  object: "an object",
  record: "an object",
  string: "a text",
  boolean: "true or false",
};

function hintFor(keys: readonly string[]): string {
  if (keys.includes("arguments") || keys.includes("input"))
    return "; a tool's arguments go into args";
  if (keys.includes("continueOnError")) return "; write continue_on_error";
  return "; leave it out";
}
