import { isJsonObject, type JsonObject } from "../json.ts";

/** A subschema and its place, as a JSON pointer. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly path: string;
  /** The subschema says what a whole value must be; false for parts of an `allOf` and its like. */
  readonly whole: boolean;
}

const NAMED = ["properties", "patternProperties", "$defs", "definitions"] as const;
const SINGLE = ["additionalProperties", "items", "contains"] as const;
const IN_PLACE = ["then", "else"] as const;
const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"] as const;

/** The subschemas that describe a value or its parts, the schema itself first. Expects one without defect. */
export function walkSchema(root: JsonObject, at = ""): SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const visit = (schema: unknown, path: string, whole: boolean) => {
    if (!isJsonObject(schema)) return;
    places.push({ schema, path, whole });
    for (const key of NAMED) {
      for (const [name, inner] of Object.entries(objectOf(schema[key]))) {
        visit(inner, `${path}/${key}/${escapePointer(name)}`, true);
      }
    }
    for (const key of SINGLE) visit(schema[key], `${path}/${key}`, true);
    for (const key of IN_PLACE) visit(schema[key], `${path}/${key}`, false);
    const visitList = (key: string, parts: boolean) =>
      listOf(schema[key]).forEach((inner, index) => {
        visit(inner, `${path}/${key}/${index}`, parts);
      });
    visitList("prefixItems", true);
    for (const key of IN_PLACE_LISTS) visitList(key, false);
  };
  visit(root, at, true);
  return places;
}

/** The properties a schema declares, or an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A list, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One segment of a JSON pointer (RFC 6901). */
export function escapePointer(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}
