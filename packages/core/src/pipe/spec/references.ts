import { isJsonObject } from "../../json/json.ts";
import { isAlmostReference, joinKey } from "../../json/path.ts";
import { shorten } from "../../json/plain-text.ts";

/** The first keys of all paths. */
const ROOTS = ["vars", "steps", "last"];
const FORBIDDEN = ["__proto__", "constructor", "prototype"];

/** Returns true for a name that reaches a prototype in careless code. No id or path may contain one. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.includes(name);
}

/** Splits a path such as `steps.search.structured.results.0.url` into its keys. Returns the problem if it is invalid. */
export function parseReference(raw: unknown): readonly string[] | string {
  if (typeof raw !== "string") return NO_PATH;
  const text = raw.trim();
  const keys = text.split(".");
  const [root = ""] = keys;
  if (!ROOTS.includes(root)) return `"${shorten(text)}" must begin with vars, steps or last`;
  const forbidden = keys.find(isForbiddenName);
  if (forbidden) return `"${shorten(text)}" contains ${forbidden}, which no reference may read`;
  if (keys.includes("")) return `"${shorten(text)}" has an empty part`;
  return keys;
}

const NO_PATH =
  'this reference has no path: write {"$ref": "steps.a.text"}, or close $ and { with }, or put the text into vars, where it stays text';

/** A reference in a value. */
export interface Reference {
  /** The path that it reads, or `undefined` if the text does not close it. */
  readonly raw: unknown;
  /** The place of the reference: `steps[0].args.url`. */
  readonly at: string;
  /** True for a path in a text, false for a path by itself. */
  readonly inText: boolean;
}

/** Replaces each reference in a copy of a value. Does not search the replacements. Measure the value's depth first. */
export function mapReferences(
  value: unknown,
  read: (reference: Reference) => unknown,
  at = "",
): unknown {
  if (isAlmostReference(value)) return read({ raw: undefined, at, inText: true });
  if (typeof value === "string") return mapText(value, read, at);
  if (Array.isArray(value)) {
    return value.map((item, index) => mapReferences(item, read, joinKey(at, index)));
  }
  if (!isJsonObject(value)) return value;
  if (isReference(value)) return read({ raw: value.$ref, at, inText: false });
  const copy: Record<string, unknown> = { ...value }; // The spread creates all own keys, so that no assignment calls a setter.
  for (const key of Object.keys(value)) {
    copy[key] = mapReferences(value[key], read, joinKey(at, key));
  }
  return copy;
}

/** Returns true for a path by itself. */
export function isReference(value: unknown): value is { readonly $ref: unknown } {
  const [key, ...more] = isJsonObject(value) ? Object.keys(value) : [];
  return more.length === 0 && key === "$ref";
}

function mapText(text: string, read: (reference: Reference) => unknown, at: string): string {
  return text.replace(/\$\{([^}]*)(\}?)/g, (whole, path: string, close: string) => {
    const raw = close === "" ? undefined : path;
    return raw?.trim() === "" ? whole : String(read({ raw, at, inText: true }));
  });
}
