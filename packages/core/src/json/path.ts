import { isJsonObject, type JsonObject } from "./json.ts";
import { shorten } from "./plain-text.ts";

const INDEX = /^(0|[1-9]\d*)$/;
const PART =
  /\.?\[("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")\]|\.?\[(\d+)\]|\.?([^.[\]]+)/gu;

/** Splits a path such as `rows.0.name` or `rows[0]["a.b"]` into its keys. One key is empty if the text is not a path. */
export function parsePath(text: string): readonly string[] {
  if (!text.includes("[")) return text.split(".");
  if (text.replace(PART, "") !== "") return [""];
  return Array.from(text.matchAll(PART), ([, odd, index, plain = ""]) => {
    return odd ? String(JSON.parse(odd)) : (index ?? plain);
  });
}

/** Writes a key as a path contains it: `.name`, `["a.b"]` or `[0]`. */
export function pathKey(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const text = String(key);
  return /^[\p{L}\p{N}_$-]+$/u.test(text) ? `.${text}` : `[${JSON.stringify(text)}]`;
}

/** Joins a path and a key: `rows[0]` and `name` become `rows[0].name`. Different members get different paths. */
export function joinKey(path: string, key: PropertyKey): string {
  return `${path}${pathKey(key)}`.replace(/^\./, "");
}

/** True for what was meant as a reference, and would be sent as it is: `"$ref:steps.a"`, `"{{steps.a}}"`, `{ "$Ref": "steps.a" }`. */
export function isAlmostReference(value: unknown): boolean {
  if (typeof value === "string") return ALMOST.test(value);
  const [key = "", ...more] = isJsonObject(value) ? Object.keys(value) : [];
  return more.length === 0 && key !== "$ref" && key.trim().toLowerCase() === "$ref";
}

const ALMOST =
  /^\s*\$ref\b|\{\{\s*(vars|steps|last|structured|text|json|arguments|context)[.[][^{}]*\}\}/i;

/** The value at a path, or a message that names the part of the path that exists and the value found there. */
export type Reading =
  | { readonly found: true; readonly value: unknown }
  | { readonly found: false; readonly message: string };

/** Reads a path through own properties of plain objects and arrays. Reading any member of `opaque` returns `opaque` itself. */
export function readPath(
  root: object,
  { keys, opaque }: { keys: readonly string[]; opaque?: unknown },
): Reading {
  let node: unknown = root;
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

function describe(node: unknown): string {
  if (Array.isArray(node)) return `is a list of ${node.length}, counted from 0`;
  if (!isJsonObject(node))
    return node === null || node === undefined ? "is empty" : `is a ${typeof node}`;
  const keys = Object.keys(node);
  const shown = keys.slice(0, 8).map((key) => shorten(key));
  return `has ${shown.join(", ") || "no keys"}${keys.length > shown.length ? " and more" : ""}`;
}

/** Escapes one segment of a JSON pointer (RFC 6901). */
export function escapePointer(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
