import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { References } from "@toolrail/json/schema";
import { listOf, objectOf } from "@toolrail/json/schema";

/** The keywords that restrict a value. Titles, comments and mere exclusions do not. */
const RESTRICTIONS =
  /^(type|enum|const|\$ref|\$dynamicRef|allOf|anyOf|oneOf|properties|patternProperties|propertyNames|items|prefixItems|contains|required|format|pattern|min.*|max.*|exclusive.*|multipleOf|uniqueItems)$/;
/** The keywords that restrict how many parts a value has or which ones, but not the parts themselves. */
const COUNTS = /^(type|required|(min|max)(Properties|Items)|uniqueItems)$/;

/** Returns true if any value passes a schema, also by an alternative or a reference. The schema must have no defect. */
export function isFreeForm(schema: unknown, references: References): boolean {
  if (!isJsonObject(schema)) return schema === true;
  const isFree = (part: unknown) => isFreeForm(part, references);
  const [key, ...more] = Object.keys(schema).filter((name) => RESTRICTIONS.test(name));
  if (key === undefined) return true;
  if (more.length > 0) return false;
  if (key === "anyOf" || key === "oneOf") return listOf(schema[key]).some(isFree);
  const parts = key === "allOf" ? listOf(schema[key]) : references.targets(schema);
  return parts.length > 0 && parts.every(isFree);
}

/** Returns true if a schema of lists or objects does not restrict their parts. */
export function isOpen(schema: JsonObject, references: References): boolean {
  const { items = true, additionalProperties = true, ...rest } = schema;
  const { type, properties, patternProperties, ...others } = rest;
  if (type !== "array" && type !== "object") return false;
  if (Object.keys(others).some((key) => RESTRICTIONS.test(key) && !COUNTS.test(key))) return false;
  const patterns = Object.values(objectOf(patternProperties));
  const parts = type === "array" ? [items] : [additionalProperties, ...patterns];
  const isUnnamed = Object.keys(objectOf(properties)).length === 0;
  return isUnnamed && parts.every((part) => isFreeForm(part, references));
}
