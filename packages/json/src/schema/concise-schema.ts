import { isJsonObject, type JsonObject } from "../json.ts";
import { type References, resolveReferences } from "./references.ts";
import {
  distinct,
  joinSchemas,
  listOf,
  mapHeld,
  objectOf,
  type Subschema,
  subschemasOf,
} from "./subschemas.ts";

/**
 * Shortens a schema without changing its meaning. Removes the dialect, unused definitions, keywords without effect, and
 * repetitions. An argument that is null by default may be omitted, so that null is removed from its type. Each object gets
 * `properties` and each list gets `items`, since providers refuse them otherwise. Expects a schema without defect.
 */
export function conciseSchema(root: JsonObject): JsonObject {
  const references = resolveReferences(root);
  const { refers, subschemas, targets } = references;
  const definitions = SHELVES.flatMap((shelf) => Object.values(objectOf(root[shelf])));
  const whole = new Set<unknown>([root, ...definitions]);
  /** False if a reference leads into a part, which must keep its path then. */
  const isFree = !refers || subschemas.flatMap(targets).every((target) => whole.has(target));
  const used = isFree ? findReached(root, references) : whole;
  const isStrict = subschemas.every(takesStrictMode);

  const write = (given: JsonObject, place: Place): JsonObject => {
    const node = isFree ? withoutWrapper(given, place) : given;
    const replace = (schema: JsonObject, { role, keyword, key }: Omit<Subschema, "schema">) => {
      // A tested schema must stay exact. An unknown keyword may hold anything.
      if (role === "test" || (role === "unknown" && !refers)) return schema;
      if (role === "same") return write(schema, { outer: node.description });
      if (role === "shelf") return write(schema, { name: key });
      if (keyword !== "properties") return write(schema, {});
      return write(schema, { name: key, isOptional: !listOf(node.required).includes(key) });
    };
    const entries: [string, unknown][] = [];
    for (const keyword of Object.keys(node)) {
      let held = node[keyword];
      if (place.isRoot && SHELVES.includes(keyword)) {
        const left = Object.entries(objectOf(held)).filter(([, one]) => used.has(one));
        if (left.length === 0) continue;
        held = Object.fromEntries(left);
      } else if (!(refers && ADDRESSES.includes(keyword))) {
        if (saysNothing(keyword, { held, node, place, isStrict })) continue;
      }
      entries.push([keyword, mapHeld(held, { keyword, replace })]);
    }
    const { type, properties, items, prefixItems } = node;
    if (type === "object" && !properties) entries.push(["properties", {}]);
    if (type === "array" && items === undefined && !prefixItems) entries.push(["items", {}]);
    return Object.fromEntries(entries);
  };
  return write(root, { isRoot: true });
}

/** The surroundings of a subschema that decide which of its keywords are needed. */
interface Place {
  readonly isRoot?: boolean;
  readonly name?: string | undefined;
  readonly isOptional?: boolean;
  /** The description of the schema of which this one is an alternative. */
  readonly outer?: unknown;
}

const SHELVES: readonly string[] = ["$defs", "definitions"];
const ADDRESSES: readonly string[] = ["$id", "$anchor", "$dynamicAnchor"];
const WRAPPERS = ["anyOf", "oneOf", "allOf"] as const;
const ANNOTATIONS: readonly string[] = ["title", "description", "default", "examples"];

interface Around {
  readonly held: unknown;
  readonly node: JsonObject;
  readonly place: Place;
  /** True if all objects fit a provider's strict mode. */
  readonly isStrict: boolean;
}

function saysNothing(keyword: string, { held, node, place, isStrict }: Around): boolean {
  switch (keyword) {
    case "$schema":
    case "$comment":
    case "$id":
    case "$anchor":
    case "$dynamicAnchor":
    case "x-mcp-header":
      return true;
    case "title":
      return place.isRoot || toLetters(held) === "" || toLetters(held) === toLetters(place.name);
    case "description":
      return held === place.outer || (typeof held === "string" && held.trim() === "");
    case "default":
      return held === null && place.isOptional === true;
    case "required":
    case "examples":
      return Array.isArray(held) && held.length === 0;
    case "propertyNames":
      return isAnything(held) || isType(held, "string");
    case "additionalProperties":
      if (held === false) return !isStrict;
      return isAnything(held) && Object.keys(objectOf(node.properties)).length > 0;
    case "minLength":
    case "minItems":
    case "minProperties":
      return held === 0;
    case "minimum":
    case "exclusiveMinimum":
      return Number(held) <= Number.MIN_SAFE_INTEGER;
    case "maximum":
    case "exclusiveMaximum":
      return Number(held) >= Number.MAX_SAFE_INTEGER;
    case "uniqueItems":
    case "deprecated":
    case "readOnly":
    case "writeOnly":
      return held === false;
    default:
      return false;
  }
}

/** Replaces a union or an `allOf` of one schema by that schema, and removes a null that is the default. */
function withoutWrapper(node: JsonObject, place: Place): JsonObject {
  const keyword = WRAPPERS.find((one) => Array.isArray(node[one]));
  if (keyword === undefined) return node;
  const { [keyword]: held, ...around } = node;
  const isUnion = keyword !== "allOf";
  const isNullable = isUnion && place.isOptional === true && node.default === null;
  const parts = distinct(listOf(held)).filter((part) => !isNullable || !isType(part, "null"));
  if (parts.length === 0) return node;
  const only = isUnion ? joinSchemas(parts) : parts.length === 1 && parts[0];
  if (isJsonObject(only) && canStandAlone(only, around)) {
    return { ...only, ...around, ...joinDescriptions(around, only) };
  }
  return { ...around, [keyword]: parts };
}

/** Returns true if the keywords around a schema can be merged into it without loss or change of meaning. */
function canStandAlone(only: JsonObject, around: JsonObject): boolean {
  const isWrapped = ["$ref", ...WRAPPERS].some((key) => Object.hasOwn(only, key));
  const fits = (key: string) =>
    key === "description" || (ANNOTATIONS.includes(key) && !Object.hasOwn(only, key));
  return !isWrapped && Object.keys(around).every(fits);
}

/** Joins both descriptions, unless the outer one contains the inner one. */
function joinDescriptions(...schemas: readonly [JsonObject, JsonObject]): JsonObject {
  const [outer, inner] = schemas.map(({ description }) => description ?? "");
  if (typeof outer !== "string" || typeof inner !== "string") return {};
  const description = outer.includes(inner) ? outer : `${outer} ${inner}`.trim();
  return description === "" ? {} : { description };
}

/** Returns true if the object fits a strict mode: providers require it to be closed, without optional properties. */
function takesStrictMode({
  type,
  properties,
  required,
  additionalProperties,
}: JsonObject): boolean {
  if (type !== "object" && properties === undefined) return true;
  const names = Object.keys(objectOf(properties));
  return additionalProperties === false && names.length === listOf(required).length;
}

/** Finds the subschemas that can apply to a value: all except definitions that no reference leads to. */
function findReached(root: JsonObject, { refers, targets }: References): ReadonlySet<unknown> {
  const reached = new Set(refers ? [root] : []);
  for (const node of reached) {
    for (const target of targets(node)) reached.add(target);
    for (const { schema, role } of subschemasOf(node)) if (role !== "shelf") reached.add(schema);
  }
  return reached;
}

function isAnything(schema: unknown): boolean {
  return schema === true || (isJsonObject(schema) && Object.keys(schema).length === 0);
}

function isType(schema: unknown, type: string): boolean {
  return isJsonObject(schema) && schema.type === type && Object.keys(schema).length === 1;
}

/** Returns the letters and digits of a name or a title: `max_length`, `maxLength` and "Max Length" have the same. */
function toLetters(text: unknown): string {
  return String(text ?? "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
