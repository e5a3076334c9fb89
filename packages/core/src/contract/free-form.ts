import { isJsonObject, type JsonObject } from "../json/json.ts";
import { listOf, objectOf, type References, subschemasOf } from "../json/schema.ts";

/** The keywords that restrict a value. Titles, comments and mere exclusions do not. */
const RESTRICTIONS =
  /^(type|enum|const|\$ref|\$dynamicRef|allOf|anyOf|oneOf|properties|patternProperties|propertyNames|items|prefixItems|contains|required|format|pattern|min.*|max.*|exclusive.*|multipleOf|uniqueItems)$/;
/** The keywords that restrict how many parts a value has or which ones, but not the parts themselves. */
const COUNTS = /^(type|required|(min|max)(Properties|Items)|uniqueItems)$/;

export type Shapes = ReturnType<typeof createShapes>;

/**
 * Creates functions that look into the schemas of a document without defect. Each schema is judged once, since many references may
 * lead to it.
 */
export function createShapes({ targets }: References) {
  const free = new Map<JsonObject, boolean>();
  const names = new Map<JsonObject, ReadonlySet<string>>();

  /** Returns true if any value passes a schema, also by an alternative or a reference. */
  const isFreeForm = (schema: unknown): boolean => {
    if (!isJsonObject(schema)) return schema === true;
    const known = free.get(schema) ?? judge(schema);
    free.set(schema, known);
    return known;
  };
  const judge = (schema: JsonObject): boolean => {
    const [key, ...more] = Object.keys(schema).filter((name) => RESTRICTIONS.test(name));
    if (key === undefined) return true;
    if (more.length > 0) return false;
    if (key === "anyOf" || key === "oneOf") return listOf(schema[key]).some(isFreeForm);
    const parts = key === "allOf" ? listOf(schema[key]) : targets(schema);
    return parts.length > 0 && parts.every(isFreeForm);
  };

  /** Returns true if a schema of lists or objects does not restrict their parts. */
  const isOpen = (schema: JsonObject): boolean => {
    const { items = true, additionalProperties = true, ...rest } = schema;
    const { type, properties, patternProperties, ...others } = rest;
    if (type !== "array" && type !== "object") return false;
    if (Object.keys(others).some((key) => RESTRICTIONS.test(key) && !COUNTS.test(key))) {
      return false;
    }
    const patterns = Object.values(objectOf(patternProperties));
    const parts = type === "array" ? [items] : [additionalProperties, ...patterns];
    return Object.keys(objectOf(properties)).length === 0 && parts.every(isFreeForm);
  };

  /** Returns the properties that a schema names, itself or by a part that applies to the same value. */
  const listNames = (schema: JsonObject): ReadonlySet<string> => {
    const known = names.get(schema);
    if (known) return known;
    const parts = subschemasOf(schema).filter(({ role }) => role === "same");
    const together = [...parts.map((part) => part.schema), ...targets(schema)];
    const found = new Set(Object.keys(objectOf(schema.properties)));
    for (const part of together) for (const name of listNames(part)) found.add(name);
    names.set(schema, found);
    return found;
  };

  return { isFreeForm, isOpen, listNames };
}
