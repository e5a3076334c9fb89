import { ambiguityIn, isJsonObject, measure, messageOf } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import { joinPath, type PipeProblem, toPipeError } from "./problems.ts";
import { findForbiddenKey } from "./references.ts";
import { type PipeSpec, pipeSpec, STEP_KINDS } from "./spec.ts";

/** Generous, since each value has its own limit: this one only keeps the checks themselves safe. */
const SPEC_LIMITS = { maxBytes: 16_777_216, maxDepth: 512 };

/**
 * Takes a spec out of an object or a JSON text, bare or as the member `spec`. It is a copy of measured size
 * and depth: what is checked is what runs, whatever becomes of the value that was given. Throws `invalid-pipe`.
 */
export function readSpec(input: unknown): unknown {
  if (typeof input !== "string") refuseIf(measure(input, SPEC_LIMITS));
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "null");
  const read = withoutNulls(parseText(text));
  if (!isJsonObject(read) || !Object.hasOwn(read, "spec")) return read;
  const { spec, ...rest } = read;
  const others = Object.keys(rest).join(", ");
  refuseIf(others && `it has both spec and ${others}; write one or the other`);
  return typeof spec === "string" ? readSpec(spec) : withoutNulls(spec);
}

const LISTS = ["steps", "parallel", "pipe", "do"];

/** A spec without the members that are `null`, as models write what they leave out. Values keep theirs. */
function withoutNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNulls);
  if (!isJsonObject(part)) return part;
  const members = Object.entries(part).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([key, value]) => [key, LISTS.includes(key) ? withoutNulls(value) : value]),
  );
}

function parseText(text: string): unknown {
  refuseIf(text.length > SPEC_LIMITS.maxBytes && "it is too long");
  let spec: unknown;
  try {
    spec = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (cause) {
    refuseIf(`it is not JSON: ${messageOf(cause)}`);
  }
  refuseIf(measure(spec, SPEC_LIMITS) ?? ambiguityIn(text));
  return spec;
}

function refuseIf(message: string | false | undefined, path = "spec"): void {
  if (message) throw toPipeError([{ path, message }]);
}

type Issue = NonNullable<ReturnType<typeof pipeSpec.safeParse>["error"]>["issues"][number];

/** The spec as a typed value. Recursive: measure and count the value first. Throws `invalid-pipe`. */
export function parseSpec(value: unknown): PipeSpec {
  const place = findForbiddenKey(value, "");
  refuseIf(place && "this key is not allowed; rename it", place);
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

/** Counts the steps of a spec of any shape. Throws `invalid-pipe` at the first step or level that is one too many. */
export function countSteps(spec: unknown, { maxSteps, maxDepth }: PipeLimits): number {
  let count = 0;
  const countIn = (holder: unknown, { key, at, depth }: Place): void => {
    const list = isJsonObject(holder) ? holder[key] : undefined;
    if (!Array.isArray(list)) return;
    const place = joinPath(at, key);
    if (depth > maxDepth) {
      const message = `this is nested ${depth} levels deep; at most ${maxDepth} are allowed (limits.maxDepth)`;
      throw toPipeError([{ path: place, message }]);
    }
    for (const [index, step] of list.entries()) {
      const path = joinPath(place, index);
      if (++count > maxSteps) {
        const message = `this is step ${count} of the pipe; at most ${maxSteps} may run (limits.maxSteps), groups, children and nested steps counted`;
        throw toPipeError([{ path, message }]);
      }
      const groupDepth = key === "parallel" ? depth + 1 : depth;
      countIn(step, { key: "parallel", at: path, depth: groupDepth });
      countIn(Object(step).pipe, { key: "steps", at: joinPath(path, "pipe"), depth: depth + 1 });
      // Items are counted when they are known; here, only how deep they go.
      const { pipe } = Object(Object(step).do);
      countIn(pipe, { key: "steps", at: joinPath(path, "do.pipe"), depth: depth + 1 });
    }
  };
  countIn(spec, { key: "steps", at: "", depth: 0 });
  return count;
}

/** A list of steps where it stands. */
interface Place {
  readonly key: "steps" | "parallel";
  readonly at: string;
  readonly depth: number;
}
