import type { JsonObject } from "@toolrail/core";
import { mapSubschemas } from "@toolrail/core/adapter";

const KEPT =
  "type title description default enum const properties required additionalProperties items anyOf allOf $defs " +
  "definitions $ref minimum maximum minLength maxLength minItems maxItems";
const isKept = new Set(KEPT.split(" "));

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
    return key === "items" ? !("prefixItems" in loose) : isKept.has(key);
  });
  return { ...Object.fromEntries(kept), ...("prefixItems" in loose && { items: {} }) };
}
