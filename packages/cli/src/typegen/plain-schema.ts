import { isJsonObject, type JsonObject } from "@toolrail/core";

/** Keywords whose members are schemas by name. */
const MAPS = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
/** Keywords that hold data, to be left as it is. */
const DATA = new Set(["enum", "const", "required"]);
/**
 * What says nothing of a type, or something else to the writer than to JSON Schema. `tsType` and
 * `tsEnumNames` would be written into the module as they stand: code of a stranger.
 */
const LEFT_OUT = new Set(
  "$schema $id id $anchor title default examples extends tsType tsEnumNames".split(" "),
);

/**
 * Makes a stranger's schema one that may be written as types inside another schema: without keywords
 * that the writer would take for code or names, and with its references pointing to `place`.
 */
export function plainSchema(schema: JsonObject, place: string): JsonObject {
  return Object.fromEntries(
    Object.entries(withOldTuples(schema))
      .filter(([key]) => !LEFT_OUT.has(key))
      .map(([key, value]) => [key, plainMember(key, value, place)]),
  );
}

/** Tuples as the writer knows them: those of draft-07. */
function withOldTuples(schema: JsonObject): JsonObject {
  const { prefixItems, items, ...rest } = schema;
  if (!Array.isArray(prefixItems)) return schema;
  return { ...rest, items: prefixItems, additionalItems: items ?? true };
}

function plainMember(key: string, value: unknown, place: string): unknown {
  if (DATA.has(key)) return value;
  if (key === "$ref" && typeof value === "string") return value.replace(/^#/, place);
  if (Array.isArray(value)) {
    return value.map((one: unknown) => (isJsonObject(one) ? plainSchema(one, place) : one));
  }
  if (!isJsonObject(value)) return value;
  if (!MAPS.has(key)) return plainSchema(value, place);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isJsonObject(one) ? plainSchema(one, place) : one,
    ]),
  );
}
