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
  return defectAt({ references: resolveReferences(schema), parts: [schema], value, path: "" });
}

interface Place {
  readonly references: References;
  /** The schemas that apply to the value. */
  readonly parts: readonly unknown[];
  readonly value: unknown;
  readonly path: string;
}

function defectAt({ references, parts, value, path }: Place): string | undefined {
  const schemas = parts.flatMap((part) => applying(part, references, value));
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
        references,
        parts: itemSchemas(schemas, index),
        value: item,
        path: `${path}/${index}`,
      }),
    );
  }
  if (!isJsonObject(value)) return undefined;
  const isOpen = schemas.some(({ additionalProperties: more, unevaluatedProperties: rest }) =>
    [more, rest].some((schema) => schema === true || isJsonObject(schema)),
  );
  return first(Object.entries(value), ([name, inner]) => {
    const own = schemas.flatMap((schema) => propertySchemas(schema, name));
    const at = `${path}/${escapePointer(name)}`;
    if (own.length === 0 && !isOpen) return `${at} is not described by the tool's inputSchema`;
    return defectAt({ references, parts: own, value: inner, path: at });
  });
}

/** A schema with all that apply to the same value; of alternatives, those the value may mean. */
function applying(schema: unknown, references: References, value: unknown): JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const { allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
  const some = [anyOf, oneOf, [then, otherwise], Object.values(objectOf(dependentSchemas))];
  const alternatives = some.flatMap((branches) =>
    mergeBranches(
      listOf(branches).map((branch) => applying(branch, references, value)),
      value,
    ),
  );
  const parts = [...references.targets(schema), ...listOf(allOf)].flatMap((part) =>
    applying(part, references, value),
  );
  return [schema, ...parts, ...alternatives];
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
  const patterns = Object.values(objectOf(patternProperties));
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
