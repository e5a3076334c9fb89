import { isJsonObject } from "../json.ts";
import { joinPath, shorten } from "./pipe-problem.ts";

/** A path such as `steps.search.structured.results.0.url`, taken apart. */
export interface ReferencePath {
  readonly text: string;
  readonly keys: readonly string[];
}

const ROOTS = ["vars", "steps", "last"];
const INDEX = /^(0|[1-9]\d*)$/;
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** True for names that reach a prototype where code is careless: no id, key or path may hold one. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.has(name);
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

/** Takes a path apart. A string says what is wrong with it. */
export function parseReference(raw: string): ReferencePath | string {
  const text = raw.trim();
  const keys = text.split(".");
  const [root = ""] = keys;
  if (!ROOTS.includes(root)) {
    return `"${shorten(text)}" must begin with vars, steps or last`;
  }
  const forbidden = keys.find(isForbiddenName);
  if (forbidden) return `"${shorten(text)}" holds ${forbidden}, which no reference may read`;
  if (keys.includes("")) return `"${shorten(text)}" has an empty part`;
  return { text, keys };
}

/** What a path leads to. A miss says how far the path goes and what is there instead. */
export type Reading =
  | { readonly found: true; readonly value: unknown }
  | { readonly found: false; readonly message: string };

/** What a model reads in place of a value that is for the user alone. */
export const HIDDEN = "(for the user alone)";

/**
 * Reads own properties of plain objects and arrays, and nothing else. `from` is the first key to read;
 * with `hidden`, every part of `HIDDEN` is `HIDDEN` too.
 */
export function readReference(
  root: unknown,
  { keys }: ReferencePath,
  { from = 0, hidden = false } = {},
): Reading {
  let node = root;
  for (let at = from; at < keys.length; at++) {
    if (hidden && node === HIDDEN) break;
    const key = keys[at] ?? "";
    if (Array.isArray(node)) {
      if (!INDEX.test(key) || Number(key) >= node.length) return miss(node, keys, at);
      node = node[Number(key)];
    } else {
      if (!isJsonObject(node) || !Object.hasOwn(node, key)) return miss(node, keys, at);
      node = node[key];
    }
  }
  return { found: true, value: node };
}

function miss(node: unknown, keys: readonly string[], at: number): Reading {
  const place = at === 0 ? "the pipe" : `"${shorten(keys.slice(0, at).join("."))}"`;
  const key = shorten(keys[at] ?? "");
  return { found: false, message: `${place} has no "${key}"; it ${describe(node)}` };
}

function describe(node: unknown): string {
  if (Array.isArray(node)) return `is a list of ${node.length}, counted from 0`;
  if (node === null || node === undefined) return "is empty";
  if (!isJsonObject(node)) return `is a ${typeof node}`;
  const keys = Object.keys(node);
  if (keys.length === 0) return "is an object without keys";
  const more = keys.length > 8 ? " and more" : "";
  return `has ${keys
    .slice(0, 8)
    .map((key) => shorten(key))
    .join(", ")}${more}`;
}
