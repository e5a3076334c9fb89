import { isJsonObject, type JsonObject } from "../json.ts";
import { resolveReferences } from "../schema/references.ts";
import { escapePointer } from "../schema/walk-schema.ts";
import {
  applyingSchemas,
  type Checking,
  itemSchemas,
  propertySchemas,
} from "./applying-schemas.ts";
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

interface Place extends Checking {
  /** The schemas that apply to the value. */
  readonly parts: readonly unknown[];
  readonly value: unknown;
  readonly path: string;
}

function defectAt({ parts, value, path, ...checking }: Place): string | undefined {
  const schemas = parts.flatMap((part) => applyingSchemas(part, value, checking));
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
