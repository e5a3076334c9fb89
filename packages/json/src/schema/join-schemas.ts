import { canonicalJson, isJsonObject } from "../json.ts";
import { listOf, objectOf } from "./subschemas.ts";

/** Joins schemas into one that accepts what any of them accepts. Schemas that differ only in their values become one `enum`. */
export function joinSchemas(schemas: readonly unknown[]): unknown {
  const all = distinct(schemas.filter((schema) => schema !== false));
  if (all.length < 2) return all[0] ?? false;
  const split = all.filter(isJsonObject).map(({ const: one, enum: many, ...rest }) => {
    return { rest, values: one === undefined ? listOf(many) : [one] };
  });
  const isList = split.length === all.length && split.every(({ values }) => values.length > 0);
  const [rest, ...others] = distinct(split.map((one) => one.rest));
  if (!isList || others.length > 0) return { anyOf: all };
  return { ...objectOf(rest), enum: distinct(split.flatMap(({ values }) => values)) };
}

export function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}
