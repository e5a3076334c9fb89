import type { JsonObject } from "./json.ts";
import { resolveReferences } from "./references.ts";
import { listOf, mapSubschemas, objectOf, type Subschema, subschemasOf } from "./subschemas.ts";

/**
 * Makes properties with a `default` optional, since the server knows what to do without them. Schemas below `oneOf`, `not`,
 * `if` and `contains` are unchanged: if they accepted more, the whole could accept less. Expects a schema without defect.
 */
export function requireLess(root: JsonObject): JsonObject {
  const { subschemas, targets } = resolveReferences(root);
  const below = subschemas.flatMap(subschemasOf);
  const exact = new Set(below.filter(isExact).map(({ schema }) => schema));
  for (const node of exact) {
    for (const one of [...targets(node), ...subschemasOf(node).map(({ schema }) => schema)]) {
      exact.add(one);
    }
  }
  const relax = (node: JsonObject): JsonObject => {
    if (exact.has(node)) return node;
    const copy = mapSubschemas(node, relax);
    const required = listOf(node.required);
    const properties = objectOf(node.properties);
    const hasDefault = (name: unknown) =>
      typeof name === "string" &&
      Object.hasOwn(properties, name) &&
      Object.hasOwn(objectOf(properties[name]), "default");
    const left = required.filter((name) => !hasDefault(name));
    if (left.length === required.length) return copy;
    const { required: _, ...rest } = copy;
    return left.length > 0 ? { ...rest, required: left } : rest;
  };
  return relax(root);
}

function isExact({ keyword }: Subschema): boolean {
  return ["oneOf", "not", "if", "contains"].includes(keyword);
}

/**
 * Copies an input schema so that no value may have unknown properties: neither the arguments nor any object in them whose
 * properties the schema names. A value described by several parts at once stays as open as before. Only adds keywords, so that
 * references keep their targets. Throws a `RangeError` if the schema is too complex.
 */
export function closeSchema(root: JsonObject): JsonObject {
  const { subschemas, targets } = resolveReferences(root);
  const values = new Set([root]);
  const naming = new Set([root]);
  const shared = new Set<JsonObject>();
  let work = 0;

  /** Returns all schemas that always apply to a value together with this one. */
  const together = (node: JsonObject): JsonObject[] => {
    if (++work > MAX_WORK) throw new RangeError("it is too complex to be applied strictly");
    const parts = subschemasOf(node).filter((below) => below.role === "same" && !isChoice(below));
    return [node, ...[...targets(node), ...parts.map(({ schema }) => schema)].flatMap(together)];
  };
  /** Visits a schema of a value, then its alternatives with what the schemas around them describe. */
  const visit = (node: JsonObject, { value, ...around }: Around): void => {
    const all = [...new Set(together(node))];
    const below = all.flatMap(subschemasOf);
    const places = new Map(around.places);
    for (const { schema, role, keyword, key } of below) {
      if ((role !== "part" && role !== "each") || keyword === "contains") continue;
      values.add(schema);
      const place = JSON.stringify([keyword, key]);
      const other = places.get(place);
      if (other !== undefined && other !== schema) shared.add(other).add(schema);
      places.set(place, schema);
    }
    const namers = all.filter(namesProperties);
    if (namers.length > 0) naming.add(value);
    const isNamed = around.isNamed || namers.length > 0;
    if (around.isNamed || namers.length > 1) {
      for (const namer of namers) if (namer !== value) shared.add(namer);
    }
    for (const { schema } of below.filter(isChoice)) visit(schema, { value, places, isNamed });
  };
  for (const value of values) visit(value, { value, places: new Map(), isNamed: false });

  const names = new Set(subschemas.flatMap(({ properties }) => Object.keys(objectOf(properties))));
  const inherited = INHERITED.filter((name) => !names.has(name));
  const close = (node: JsonObject): JsonObject => {
    const copy = mapSubschemas(node, close);
    const isStrict = node === root || (naming.has(node) && !shared.has(node));
    if (!isStrict || node.unevaluatedProperties !== undefined) return copy;
    const { propertyNames = true } = copy;
    const named = { allOf: [propertyNames, { not: { enum: inherited } }] };
    return { ...copy, propertyNames: named, unevaluatedProperties: false };
  };
  return close(root);
}

/** A value by its schema, with the schemas of its parts so far and whether any schema names its properties. */
interface Around {
  readonly value: JsonObject;
  readonly places: ReadonlyMap<string, JsonObject>;
  readonly isNamed: boolean;
}

const MAX_WORK = 100_000;

/** Names that some validators wrongly treat as evaluated, because they keep the evaluated names in an object. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

function isChoice({ keyword }: Subschema): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

function namesProperties({ properties, patternProperties }: JsonObject): boolean {
  return properties !== undefined || patternProperties !== undefined;
}
