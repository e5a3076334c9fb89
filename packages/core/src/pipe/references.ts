import { isJsonObject, type JsonObject } from "../json.ts";
import { joinPath, shorten } from "./pipe-problem.ts";

/** The roots of every path; the names of loops come to them. */
export const ROOTS = ["vars", "steps", "last"];
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

/** The keys of a path such as `steps.search.structured.results.0.url`. A string says what is wrong with it. */
export function parseReference(
  raw: unknown,
  { items = {} }: Pick<Scope, "items"> = {},
): readonly string[] | string {
  if (typeof raw !== "string") return NO_PATH;
  const text = raw.trim();
  const keys = text.split(".");
  const [root = ""] = keys;
  if (!ROOTS.includes(root) && !Object.hasOwn(items, root)) {
    const names = Object.keys(items).map((name) => `${name}, `);
    return `"${shorten(text)}" must begin with ${names.join("")}vars, steps or last`;
  }
  const forbidden = keys.find(isForbiddenName);
  if (forbidden) return `"${shorten(text)}" holds ${forbidden}, which no reference may read`;
  if (keys.includes("")) return `"${shorten(text)}" has an empty part`;
  return keys;
}

const NO_PATH =
  'this reference has no path: write {"$ref": "steps.a.text"}, or close $ and { with }, or put the text into vars, where it stays text';

/** What references of a run read: the roots of every path. */
export interface Scope {
  readonly vars: object;
  readonly steps: object;
  readonly last?: unknown;
  /** The items of the loops around, by the names of these. */
  readonly items?: JsonObject | undefined;
  /** What expressions read instead, where a model wrote them: the same without what is for the user alone. */
  readonly covered?: Scope | undefined;
  /** Stands for what cannot be read or may not be: every part of it is this value too. */
  readonly opaque?: unknown;
}

/** What a path leads to. A miss says how far the path goes and what is there instead. */
export type Reading =
  | { readonly found: true; readonly value: unknown }
  | { readonly found: false; readonly message: string };

/** Reads own properties of plain objects and arrays, and nothing else. */
export function readReference(scope: Scope, keys: readonly string[]): Reading {
  const { opaque } = scope;
  let node: unknown = rootsOf(scope);
  for (const [at, key] of keys.entries()) {
    if (opaque !== undefined && node === opaque) break;
    const isThere = Array.isArray(node)
      ? INDEX.test(key) && Number(key) < node.length
      : isJsonObject(node) && Object.hasOwn(node, key);
    if (!isThere) {
      const place = `"${shorten(keys.slice(0, at).join("."))}"`;
      return { found: false, message: `${place} has no "${shorten(key)}"; it ${describe(node)}` };
    }
    node = (node as JsonObject)[key];
  }
  return { found: true, value: node };
}

/** What every path begins at. */
export function rootsOf({ vars, steps, last, items }: Scope): JsonObject {
  return { ...items, vars, steps, ...(last !== undefined && { last }) };
}

function describe(node: unknown): string {
  if (Array.isArray(node)) return `is a list of ${node.length}, counted from 0`;
  if (node === null || node === undefined) return "is empty";
  if (!isJsonObject(node)) return `is a ${typeof node}`;
  if (node.skipped === true && "kind" in node) return "was skipped, and brought nothing";
  const keys = Object.keys(node);
  if (keys.length === 0) return "is an object without keys";
  const shown = keys.slice(0, 8).map((key) => shorten(key));
  return `has ${shown.join(", ")}${keys.length > shown.length ? " and more" : ""}`;
}
