import type { JsonObject } from "@toolrail/core";
import { mapSubschemas } from "@toolrail/core/adapter";

/**
 * Keywords that say nothing of a type, or mean something else to the writer than to JSON Schema.
 * `tsType` and `tsEnumNames` would be written into the module as they stand: code of an untrusted server.
 */
const LEFT_OUT = new Set(
  "$schema $id id $anchor title default examples extends tsType tsEnumNames".split(" "),
);

/** Makes an untrusted schema one that may be written as types inside another, its references pointing to `place`. */
export function plainSchema(schema: JsonObject, place: string): JsonObject {
  const { prefixItems, items, ...rest } = mapSubschemas(schema, (inner) =>
    plainSchema(inner, place),
  );
  // The writer knows the tuples of draft-07.
  const tuple = Array.isArray(prefixItems)
    ? { items: prefixItems, additionalItems: items ?? true }
    : items !== undefined && { items };
  const { $ref } = schema;
  const reference = typeof $ref === "string" && { $ref: $ref.replace(/^#/, place) };
  const kept = Object.entries({ ...rest, ...tuple, ...reference });
  return Object.fromEntries(kept.filter(([key]) => !LEFT_OUT.has(key)));
}
