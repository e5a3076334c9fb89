import { parseAddress } from "@toolrail/core/plugin";
import { isJsonObject, shorten } from "@toolrail/json";
import type { Variables } from "../types.ts";
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
  { items = {} }: Pick<Variables, "items"> = {},
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

/** The place of a value, and the function that replaces its references. */
interface Mapping {
  readonly at: string;
  /** Writes the place of a member. Default: as a spec's problems name it, `steps[0].args`. */
  readonly join?: typeof joinPath;
  read(reference: {
    /** The path as it is written; `undefined` if a text does not close it. */
    readonly raw: unknown;
    /** The place of the value that holds it. */
    readonly at: string;
    /** A path by itself, one that a text takes in, or an expression. */
    readonly form: "value" | "text" | "cel";
  }): unknown;
}

/** A copy of a value with what `read` makes of each reference, which is not read again. Measure its depth first. */
export function mapReferences(
  value: unknown,
  { at: root, join = joinPath, read }: Mapping,
): unknown {
  const map = (inner: unknown, at: string): unknown => {
    if (typeof inner === "string") return mapText(inner, { at, read });
    if (Array.isArray(inner)) return inner.map((item, key) => map(item, join(at, key)));
    if (!isJsonObject(inner)) return inner;
    if (isReference(inner)) {
      return "$ref" in inner
        ? read({ raw: inner.$ref, at, form: "value" })
        : read({ raw: inner.$cel, at, form: "cel" });
    }
    const copy: Record<string, unknown> = { ...inner }; // Has the own keys: no assignment meets a setter.
    for (const key of Object.keys(inner)) copy[key] = map(inner[key], join(at, key));
    return copy;
  };
  return map(value, root);
}

/** True for a path or an expression by itself. */
export function isReference(value: unknown): boolean {
  const [key = "", ...more] = isJsonObject(value) ? Object.keys(value) : [];
  return more.length === 0 && (key === "$ref" || key === "$cel");
}

function mapText(text: string, { at, read }: Pick<Mapping, "at" | "read">): string {
  if (!text.includes("${")) return text;
  return text.replace(/\$\{([^}]*)(\}?)/g, (whole, path: string, close: string) => {
    const raw = close === "" ? undefined : path;
    return raw?.trim() === "" ? whole : String(read({ raw, at, form: "text" }));
  });
}
