import { canonicalJson, isJsonObject, type JsonObject } from "../json.ts";
import { listOf, objectOf } from "./walk-schema.ts";

/** One schema for what any of these accept; where they differ in their values alone, with a list of these. */
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

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}

interface Alternative {
  readonly one: JsonObject;
  readonly required: readonly unknown[];
}

const HOW = { oneOf: "exactly one", anyOf: "at least one" };
const MAX_RULE = 600;

/** The rule of a union in a sentence, or `undefined` where that would be long or say nothing. */
export function ruleOfUnion(
  kind: keyof typeof HOW,
  alternatives: readonly Alternative[],
): string | undefined {
  const sets = alternatives.map(({ one, required }) => {
    const texts = required.map((name) => {
      const { const: value } = objectOf(objectOf(one.properties)[String(name)]);
      return value === undefined ? name : `${name} ${JSON.stringify(value)}`;
    });
    return texts.join(" and ");
  });
  const rule = `Send ${HOW[kind]} of these sets of arguments: ${sets.join("; ")}.`;
  return sets.includes("") || rule.length > MAX_RULE ? undefined : rule;
}
