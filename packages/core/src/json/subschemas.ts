import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * The relation of a subschema to the value that its schema describes:
 * - `same`: it describes that value, always or on a condition
 * - `test`: it is tested on that value and does not describe it
 * - `part`: it describes one part of the value
 * - `each`: it describes any number of parts
 * - `name`: it describes the names of properties
 * - `shelf`: it describes nothing until a reference leads to it
 * - `unknown`: its keyword is unknown, but a reference may still lead to it
 */
export type SubschemaRole = "same" | "test" | "part" | "each" | "name" | "shelf" | "unknown";

export interface Subschema {
  readonly schema: JsonObject;
  readonly role: SubschemaRole;
  readonly keyword: string;
  /** Its name or index if the keyword holds several. */
  readonly key?: string;
}

/** The keywords that hold schemas: one, a list or, in `BY_NAME`, an object of them. */
const KEYWORDS: readonly (readonly [SubschemaRole, readonly string[]])[] = [
  ["same", ["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies"]],
  ["test", ["not", "if"]],
  ["part", ["properties", "prefixItems", "contentSchema"]],
  ["each", ["patternProperties", "additionalProperties", "unevaluatedProperties"]],
  ["each", ["items", "additionalItems", "unevaluatedItems", "contains"]],
  ["name", ["propertyNames"]],
  ["shelf", ["$defs", "definitions"]],
];
const ROLES = new Map(KEYWORDS.flatMap(([role, names]) => names.map((name) => [name, role])));

/** The keywords whose keys are chosen by the author of the schema, so that a property may be called `default`. */
const BY_NAME: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies"],
  ...["$defs", "definitions"],
]);

/** The keywords that hold data, in which `$ref` has no meaning. */
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Lists the direct subschemas of a schema. Leaves out `true` and `false`. */
export function subschemasOf(node: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  mapSubschemas(node, (schema, place) => found.push({ schema, ...place }));
  return found;
}

/** Copies a schema and replaces its direct subschemas. */
export function mapSubschemas(
  node: JsonObject,
  replace: (schema: JsonObject, place: Omit<Subschema, "schema">) => unknown,
): JsonObject {
  return mapEntries(node, (held, keyword) => {
    if (typeof held !== "object" || held === null || DATA.has(keyword)) return held;
    const role = ROLES.get(keyword) ?? "unknown";
    const one = (schema: unknown, key: string | number) =>
      isJsonObject(schema) ? replace(schema, { role, keyword, key: String(key) }) : schema;
    if (Array.isArray(held)) return held.map(one);
    if (!isJsonObject(held)) return held;
    return BY_NAME.has(keyword) ? mapEntries(held, one) : replace(held, { role, keyword });
  });
}

function mapEntries(node: JsonObject, map: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, map(value, key)]));
}

/** Returns the value if it is an object, else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
