import { createPattern } from "#validator";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { References } from "../schema/references.ts";
import { listOf, objectOf } from "../schema/walk-schema.ts";
import { isFormat } from "./formats.ts";

/** What is the same for all parts of one check. */
export interface Checking {
  readonly references: References;
  /** Subschemas that may still be looked at. */
  readonly budget: { left: number };
}

/** A schema with all that apply to the same value; of alternatives, those the value may mean. */
export function applyingSchemas(schema: unknown, value: unknown, checking: Checking): JsonObject[] {
  if (!isJsonObject(schema) || --checking.budget.left < 0) return [];
  const { allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas, dependencies } = schema;
  const dependent = [dependentSchemas, dependencies].flatMap((some) =>
    Object.values(objectOf(some)),
  );
  const some = [anyOf, oneOf, [then, otherwise], dependent];
  const alternatives = some.flatMap((branches) => {
    const each = listOf(branches).map((branch) => applyingSchemas(branch, value, checking));
    return mergeBranches(each, value);
  });
  const parts = [...checking.references.targets(schema), ...listOf(allOf)];
  return [
    schema,
    ...parts.flatMap((part) => applyingSchemas(part, value, checking)),
    ...alternatives,
  ];
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

/** The schemas that one subschema has for a property of that name. */
export function propertySchemas(schema: JsonObject, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties: more } = schema;
  const own = objectOf(properties);
  const patterns = Object.entries(objectOf(patternProperties)).flatMap(([pattern, inner]) =>
    createPattern(pattern).test(name) ? [inner] : [],
  );
  const named = [...(Object.hasOwn(own, name) ? [own[name]] : []), ...patterns];
  return named.length === 0 && isJsonObject(more) ? [more] : named;
}

/** The schemas that subschemas have for the item at an index. */
export function itemSchemas(schemas: readonly JsonObject[], index: number): unknown[] {
  return schemas.flatMap(({ prefixItems, items, additionalItems }) => {
    const fixed = Array.isArray(items) ? items : listOf(prefixItems);
    if (index < fixed.length) return [fixed[index]];
    return Array.isArray(items) ? [additionalItems] : [items];
  });
}
