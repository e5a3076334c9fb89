import { isJsonObject } from "../../json/json.ts";
import { joinPath, type PipeProblem, toPipeError } from "./problems.ts";
import { findForbiddenKey } from "./references.ts";
import type { PipeSpec, STEP_KINDS } from "./spec.ts";

/** Finds the problems of a part of a spec. `path` is its position. */
type Check = (part: unknown, path: string) => readonly PipeProblem[];

/** Checks a spec and returns it typed. Recursive: measure and count the value first. Throws `invalid-pipe`. */
export function parseSpec(value: unknown): PipeSpec {
  const place = findForbiddenKey(value, "");
  const problems = place
    ? problemAt(place, "this key is not allowed; rename it")
    : checkSpec(value, "");
  if (problems.length > 0) throw toPipeError(problems);
  return value as PipeSpec;
}

function problemAt(path: string, message: string): readonly PipeProblem[] {
  return [{ path: path || "spec", message }];
}

const isAnything: Check = () => [];
const mustBe =
  (what: string, test: (part: unknown) => boolean): Check =>
  (part, path) =>
    test(part) ? [] : problemAt(path, `this must be ${what}`);
const isTrueOrFalse = mustBe("true or false", (part) => typeof part === "boolean");
const isObject = mustBe("an object", isJsonObject);
const isName: Check = (part, path) => {
  if (typeof part !== "string") return problemAt(path, "this must be a string");
  return part === "" ? problemAt(path, "this is empty") : [];
};
const isSteps: Check = (part, path) => {
  if (!Array.isArray(part)) return problemAt(path, "this must be a list of steps");
  if (part.length === 0) return problemAt(path, "the list is empty; write at least one step");
  return part.flatMap((step, index) => checkStep(step, joinPath(path, index)));
};
const isPipe: Check = (part, path) => checkSpec(part, path);

const CALL = { tool: isName, "args?": isObject };
const NESTED = { pipe: isPipe };
const ANY = { id: isName };

const checkSpec = /* @__PURE__ */ hasMembers({
  "vars?": isObject,
  steps: isSteps,
  "return?": isAnything,
  "continue_on_error?": isTrueOrFalse,
});
const checkStep = /* @__PURE__ */ isOneOf(
  {
    tool: hasMembers({ ...ANY, ...CALL }),
    parallel: hasMembers({ ...ANY, parallel: isSteps }),
    pipe: hasMembers({ ...ANY, ...NESTED }),
  } satisfies Record<(typeof STEP_KINDS)[number], Check>,
  'write exactly one of {"id", "tool", "args"}, {"id", "parallel": [steps]} and {"id", "pipe": {"steps": [...]}}',
);

/** Checks an object with exactly these members. A member whose name ends with `?` may be missing. */
function hasMembers(members: { readonly [name: string]: Check }): Check {
  const checks = Object.entries(members).map(([name, check]) => {
    return { name: name.replace("?", ""), isOptional: name.endsWith("?"), check };
  });
  const known = new Set(checks.map(({ name }) => name));
  return (part, path) => {
    if (!isJsonObject(part)) return problemAt(path, "this must be an object");
    const unknown = Object.keys(part).filter((key) => !known.has(key));
    const found = checks.flatMap(({ name, isOptional, check }) => {
      return isOptional && part[name] === undefined ? [] : check(part[name], joinPath(path, name));
    });
    if (unknown.length === 0) return found;
    const names = unknown.map((key) => `"${key}"`).join(", ");
    return [...found, ...problemAt(path, `${names} is unknown here; ${hintFor(unknown)}`)];
  };
}

/** Checks a step by the one key that determines its kind. */
function isOneOf(kinds: { readonly [kind: string]: Check }, hint: string): Check {
  return (part, path) => {
    if (!isJsonObject(part)) return problemAt(path, `a step must be an object; ${hint}`);
    const [[kind, check] = [], ...more] = Object.entries(kinds).filter(
      ([name]) => part[name] !== undefined,
    );
    if (check === undefined) return problemAt(path, `this step has no kind; ${hint}`);
    if (more.length === 0) return check(part, path);
    const names = [kind, ...more.map(([name]) => name)].join(" and ");
    return problemAt(path, `this step has ${names}; ${hint}`);
  };
}

function hintFor(keys: readonly string[]): string {
  if (keys.includes("arguments") || keys.includes("input")) {
    return "a tool's arguments go into args";
  }
  return keys.includes("continueOnError") ? "write continue_on_error" : "leave it out";
}
