import { isJsonObject, measure } from "../json.ts";
import { checkReference, type KnownScope } from "./check-reference.ts";
import type { PipeHost } from "./pipe-host.ts";
import type { PipeLimits } from "./pipe-limits.ts";
import type { PipeAuthor } from "./pipe-plan.ts";
import { joinPath, type PipeProblem } from "./pipe-problem.ts";
import { findForbiddenKey, isForbiddenName } from "./references.ts";
import { compileTemplate, type Template } from "./template.ts";

/** What planning knows and what it finds. */
export interface Planning {
  readonly host: PipeHost;
  readonly limits: PipeLimits;
  readonly author: PipeAuthor;
  readonly problems: PipeProblem[];
  /** Counts the steps met so far. */
  steps: number;
  /** A list was so long that only its beginning was looked at. */
  isCut: boolean;
}

/** Notes a level that is one too many. */
export function isTooDeep({ limits, problems }: Planning, path: string, depth: number): boolean {
  if (depth <= limits.maxDepth) return false;
  const message = `this is nested ${depth} levels deep; at most ${limits.maxDepth} are allowed (limits.maxDepth)`;
  problems.push({ path, message });
  return true;
}

/** As many steps of a list as may run, and one more to complain about. */
export function listOf(planning: Planning, given: unknown): readonly unknown[] {
  if (!Array.isArray(given)) return [];
  const most = planning.limits.maxSteps + 1;
  if (given.length > most) planning.isCut = true;
  return given.slice(0, most);
}

/** Notes ids that are repeated or reserved, and returns them all. Blank ones are the schema's. */
export function checkIds(
  { problems }: Planning,
  list: readonly unknown[],
  at: string,
): Set<string> {
  const ids = new Set<string>();
  list.forEach((raw, index) => {
    const id = idOf(raw);
    if (id === undefined) return;
    const path = joinPath(joinPath(at, index), "id");
    if (id.trim() === "") problems.push({ path, message: "the id is blank; give the step a name" });
    if (isForbiddenName(id)) problems.push({ path, message: `the id ${id} is not allowed` });
    if (ids.has(id)) {
      problems.push({ path, message: `the id "${id}" is used twice in this list; rename one` });
    }
    ids.add(id);
  });
  return ids;
}

/** The id of a step, unless it has none. */
export function idOf(raw: unknown): string | undefined {
  const id = isJsonObject(raw) ? raw.id : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** Takes a value of the spec apart, and notes what is wrong with it and its references. */
export function planValue(
  planning: Planning,
  path: string,
  value: unknown,
  scope: KnownScope,
): Template {
  if (!checkValue(planning, path, value)) return { type: "value", value: null };
  const problem = (place: string, message: string) =>
    planning.problems.push({ path: place, message });
  return compileTemplate(value, path, {
    problem,
    reference(place, reference) {
      const message = checkReference(reference, scope);
      if (message) problem(place, message);
    },
  });
}

/** Notes a value that is too large or holds a forbidden key. */
export function checkValue({ limits, problems }: Planning, path: string, value: unknown): boolean {
  const size = measure(value, { maxBytes: limits.maxArgumentBytes, maxDepth: 64 });
  if (size) {
    problems.push({ path, message: `${size}; keep specs small and let steps fetch the data` });
    return false;
  }
  const forbidden = findForbiddenKey(value, path);
  if (forbidden === undefined) return true;
  problems.push({ path: forbidden, message: "this key is not allowed; rename it" });
  return false;
}
