import { parseAddress } from "@toolrail/core/references";
import type { JsonObject } from "@toolrail/json";
import { messageOf, type Reading, readPath, shorten } from "@toolrail/json";
import { showStep, showSteps } from "../run/step-views.ts";
import type { PipeScope } from "../types.ts";
import { joinPath } from "./problems.ts";

/** The roots of every path; the names of loops come to them. */
export const ROOTS = ["vars", "steps", "last"];
const FORBIDDEN = ["__proto__", "constructor", "prototype"];

/** True for names that reach a prototype where code is careless: no id, key or path may hold one. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.includes(name);
}

/** The path of the first such key inside a value of measured depth, or `undefined`. */
export function findForbiddenKey(value: unknown, path: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const place = Array.isArray(value) ? joinPath(path, Number(key)) : joinPath(path, key);
    if (isForbiddenName(key)) return place;
    const found = findForbiddenKey(inner, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The keys of a path such as `steps.search.structured.results.0.url`. A string says what is wrong with it. */
export function parseReference(
  raw: unknown,
  { items = {} }: Pick<PipeScope, "items"> = {},
): readonly string[] | string {
  if (typeof raw !== "string") return NO_PATH;
  const text = raw.trim();
  // Kept results are vars of a model's pipe, by their names: `kept.k4f9b2`, or without the `kept.`.
  const kept = text.startsWith("k") ? parseAddress(text.replace(/^kept\./, "")) : undefined;
  const keys = kept ? ["vars", kept.id, ...kept.keys] : text.split(".");
  const [root = ""] = keys;
  if (!ROOTS.includes(root) && !Object.hasOwn(items, root)) {
    const names = Object.keys(items).map((name) => `${name}, `);
    return `"${shorten(text)}" must begin with ${names.join("")}vars, steps or last`;
  }
  const forbidden = keys.find(isForbiddenName);
  if (forbidden) return `"${shorten(text)}" contains ${forbidden}, which no reference may read`;
  if (keys.includes("")) return `"${shorten(text)}" has an empty part`;
  return keys;
}

const NO_PATH =
  'this reference has no path: write {"$ref": "steps.a.text"}, or close $ and { with }, or put the text into vars, where it stays text';

type PathRoots = Omit<PipeScope, "keptBytes">;

/** Reads own properties of plain objects and arrays, the JSON in the text of a step, and nothing else. */
export function readReference(scope: PathRoots, keys: readonly string[]): Reading {
  const { vars, steps, last, items, opaque } = scope;
  const [root, id = ""] = keys;
  if (root !== "steps" && root !== "last") return readPath({ ...items, vars }, { keys, opaque });
  const isLast = root === "last";
  const step = isLast ? last : Object.hasOwn(steps, id) ? steps[id] : undefined;
  if (!step) return readPath(rootsOf(scope), { keys, opaque });
  const path = { keys, from: isLast ? 1 : 2, opaque };
  const reading = readPath(showStep(step), path);
  if (reading.found || !keys.includes("json")) return reading;
  try {
    return readPath(showStep(step, { hasJson: true }), path);
  } catch (cause) {
    return { found: false, message: messageOf(cause) }; // The text is not JSON.
  }
}

/** What every path begins at. */
export function rootsOf(
  { vars, steps, last, items }: PathRoots,
  view: { readonly hasJson?: boolean } = {},
): JsonObject {
  const roots = { ...items, vars, steps: showSteps(steps, view) };
  return last === undefined ? roots : { ...roots, last: showStep(last, view) };
}
