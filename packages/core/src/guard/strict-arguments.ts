import { createPattern } from "#validator";
import { isJsonObject, type JsonObject } from "../json.ts";
import { type References, resolveReferences } from "../schema/references.ts";
import { escapePointer, listOf, objectOf } from "../schema/walk-schema.ts";
import { isFormat } from "./formats.ts";

/**
 * What a guarded call must not do and a JSON Schema lets pass: send a property that no schema names,
 * and text that does not have its `format`. Expects arguments that the schema has accepted, and returns
 * the first fault with its place, or `undefined`.
 */
export function strictDefect(schema: JsonObject, value: unknown): string | undefined {
  const budget = { left: MAX_WORK };
  const found = defectAt({
    budget,
    references: resolveReferences(schema),
    parts: [schema],
    value,
    path: "",
  });
  return budget.left < 0 ? "the arguments take too long to check by the tool's inputSchema" : found;
}

/** Most subschemas that are looked at for one call, about a second. */
const MAX_WORK = 2_000_000;

/** What is the same for all parts of the arguments. */
interface Checking {
  readonly references: References;
  readonly budget: { left: number };
}

interface Place extends Checking {
  /** The schemas that apply to the value. */
  readonly parts: readonly unknown[];
  readonly value: unknown;
  readonly path: string;
}

function defectAt({ parts, value, path, ...checking }: Place): string | undefined {
  const schemas = parts.flatMap((part) => applying(part, value, checking));
  if (typeof value === "string") {
    for (const { format } of schemas) {
      if (typeof format === "string" && !isFormat(format, value)) {
        return `${path || "/"} must be a valid ${format}`;
      }
    }
    return undefined;
  }
  if (Array.isArray(value)) {
    return first(value, (item, index) =>
      defectAt({
        ...checking,
        parts: itemSchemas(schemas, index),
        value: item,
        path: `${path}/${index}`,
      }),
    );
  }
  if (!isJsonObject(value)) return undefined;
  // A value below that no schema names a property of may hold any; the arguments themselves may not.
  const isOpen = schemas.some(allowsMore) || (path !== "" && !schemas.some(namesProperties));
  return first(Object.entries(value), ([name, inner]) => {
    const own = schemas.flatMap((schema) => propertySchemas(schema, name));
    const at = `${path}/${escapePointer(name)}`;
    if (own.length > 0) return defectAt({ ...checking, parts: own, value: inner, path: at });
    return isOpen ? undefined : `${at} is not described by the tool's inputSchema`;
  });
}

function allowsMore({ additionalProperties, unevaluatedProperties }: JsonObject): boolean {
  return [additionalProperties, unevaluatedProperties].some(
    (schema) => schema === true || isJsonObject(schema),
  );
}

function namesProperties({ properties, patternProperties }: JsonObject): boolean {
  return properties !== undefined || patternProperties !== undefined;
}

/** A schema with all that apply to the same value; of alternatives, those the value may mean. */
function applying(schema: unknown, value: unknown, checking: Checking): JsonObject[] {
  if (!isJsonObject(schema) || --checking.budget.left < 0) return [];
  const { allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
  const some = [anyOf, oneOf, [then, otherwise], Object.values(objectOf(dependentSchemas))];
  const alternatives = some.flatMap((branches) => {
    const each = listOf(branches).map((branch) => applying(branch, value, checking));
    return mergeBranches(each, value);
  });
  const parts = [...checking.references.targets(schema), ...listOf(allOf)];
  return [schema, ...parts.flatMap((part) => applying(part, value, checking)), ...alternatives];
}

/** Alternatives name properties together; a format binds only where each fitting one demands it. */
function mergeBranches(branches: readonly JsonObject[][], value: unknown): JsonObject[] {
  const fitting = branches.filter(
    (schemas) => schemas.length > 0 && schemas.every((s) => fits(s, value)),
  );
  const isFree = fitting.some((schemas) =>
    schemas.every(({ format }) => typeof format !== "string" || isFormat(format, String(value))),
  );
  if (!isFree) return fitting.flat();
  return fitting.flat().map(({ format: _, ...schema }) => schema);
}

function fits({ type, const: only, enum: several }: JsonObject, value: unknown): boolean {
  const types = typeof type === "string" ? [type] : listOf(type);
  if (types.length > 0 && !types.includes(typeOf(value))) {
    if (!(types.includes("integer") && Number.isInteger(value))) return false;
  }
  if (only !== undefined && typeof only !== "object" && only !== value) return false;
  return several === undefined || typeof value === "object" || listOf(several).includes(value);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function propertySchemas(schema: JsonObject, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties: more } = schema;
  const own = objectOf(properties);
  if (Object.hasOwn(own, name)) return [own[name]];
  const patterns = Object.entries(objectOf(patternProperties)).flatMap(([pattern, inner]) =>
    createPattern(pattern).test(name) ? [inner] : [],
  );
  return [...patterns, ...(isJsonObject(more) ? [more] : [])];
}

function itemSchemas(schemas: readonly JsonObject[], index: number): unknown[] {
  return schemas.flatMap(({ prefixItems, items, additionalItems }) => {
    const fixed = Array.isArray(items) ? items : listOf(prefixItems);
    if (index < fixed.length) return [fixed[index]];
    return Array.isArray(items) ? [additionalItems] : [items];
  });
}

function first<T>(
  items: readonly T[],
  find: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
