import type { JsonObject } from "@toolrail/core";
import { mapSubschemas } from "@toolrail/core/adapter";

const KEPT: ReadonlySet<string> = new Set([
  ...["type", "title", "description", "default", "examples", "enum", "const", "required"],
  ...[
    "properties",
    "additionalProperties",
    "items",
    "anyOf",
    "allOf",
    "$defs",
    "definitions",
    "$ref",
  ],
  ...["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"],
]);

/**
 * A schema with nothing in it that a validator with strict rules would refuse to compile, such as a `format`, a dialect
 * or a keyword that it does not know. It accepts all that the schema accepts.
 */
export function toLooseSchema(schema: JsonObject): JsonObject {
  const { oneOf, ...node } = mapSubschemas(schema, toLooseSchema);
  // With less said in each branch, several may hold.
  const loose: JsonObject = { ...node, ...(oneOf !== undefined && { anyOf: oneOf }) };
  const kept = Object.entries(loose).filter(([key, value]) => {
    if (key === "$ref") return /^#\/(\$defs|definitions)\/[^/]+$/.test(String(value));
    if (key === "additionalProperties") return !("patternProperties" in loose);
    return key === "items" ? !("prefixItems" in loose) : KEPT.has(key);
  });
  return { ...Object.fromEntries(kept), ...("prefixItems" in loose && { items: {} }) };
}
