import { isJsonObject } from "../../json/json.ts";
import { shorten } from "../../json/plain-text.ts";
import { type Address, parseAddress } from "../../result/address.ts";
import { joinPath } from "./problems.ts";

/** The first keys of all paths. */
const ROOTS = ["vars", "steps", "last"];
const FORBIDDEN = ["__proto__", "constructor", "prototype"];

/** Returns true for a name that reaches a prototype in careless code. No id, key or path may contain one. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.includes(name);
}

/** Finds the path of the first such key inside a value of limited depth. */
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

/** Splits a path such as `steps.search.structured.results.0.url` into its keys. Returns the problem if it is invalid. */
export function parseReference(raw: unknown): readonly string[] | string {
  if (typeof raw !== "string") return NO_PATH;
  const text = raw.trim();
  const kept = keptAddress(text);
  const keys = kept ? ["vars", kept.text] : text.split(".");
  const [root = ""] = keys;
  if (!ROOTS.includes(root)) return `"${shorten(text)}" must begin with vars, steps or last`;
  const forbidden = [...keys, ...(kept?.keys ?? [])].find(isForbiddenName);
  if (forbidden) return `"${shorten(text)}" contains ${forbidden}, which no reference may read`;
  if (keys.includes("")) return `"${shorten(text)}" has an empty part`;
  return keys;
}

/** Parses the address of a kept result, which is a var of a model's pipe: `kept.k4f9b2.text` or `k4f9b2.text`. */
export function keptAddress(raw: unknown): Address | undefined {
  const text = typeof raw === "string" ? raw.trim() : "";
  return text.startsWith("k") ? parseAddress(text.replace(/^kept\./, "")) : undefined;
}

const NO_PATH =
  'this reference has no path: write {"$ref": "steps.a.text"}, or close $ and { with }, or put the text into vars, where it stays text';

/** The place of a value, and the function that replaces its references. */
interface Mapping {
  readonly at: string;
  /** Joins the path of a member. Default: as the problems of a spec name it, `steps[0].args`. */
  readonly join?: typeof joinPath;
  read(reference: {
    /** The path in the spec, or `undefined` if the text does not close it. */
    readonly raw: unknown;
    readonly at: string;
    /** True for a path in a text, false for a path by itself. */
    readonly inText: boolean;
  }): unknown;
}

/** Replaces each reference in a copy of a value. Does not search the replacements. Measure the value's depth first. */
export function mapReferences(
  value: unknown,
  { at: root, join = joinPath, read }: Mapping,
): unknown {
  const map = (inner: unknown, at: string): unknown => {
    if (typeof inner === "string") return mapText(inner, { at, read });
    if (Array.isArray(inner)) return inner.map((item, key) => map(item, join(at, key)));
    if (!isJsonObject(inner)) return inner;
    if (isReference(inner)) return read({ raw: inner.$ref, at, inText: false });
    const copy: Record<string, unknown> = { ...inner }; // The spread creates all own keys, so that no assignment calls a setter.
    for (const key of Object.keys(inner)) copy[key] = map(inner[key], join(at, key));
    return copy;
  };
  return map(value, root);
}

/** Returns true for a path by itself. */
export function isReference(value: unknown): value is { readonly $ref: unknown } {
  const [key, ...more] = isJsonObject(value) ? Object.keys(value) : [];
  return more.length === 0 && key === "$ref";
}

function mapText(text: string, { at, read }: Pick<Mapping, "at" | "read">): string {
  if (!text.includes("${")) return text;
  return text.replace(/\$\{([^}]*)(\}?)/g, (whole, path: string, close: string) => {
    const raw = close === "" ? undefined : path;
    return raw?.trim() === "" ? whole : String(read({ raw, at, inText: true }));
  });
}
