/** What becomes of a tool's input schema: for the host, for the guard, and for the providers of models. @module */

import { canonicalJson, isJsonObject, type JsonObject } from "./json.ts";
import {
  listOf,
  mapSubschemas,
  objectOf,
  resolveReferences,
  type Subschema,
  schemaDefect,
  subschemasOf,
} from "./schema.ts";

const EXACT = ["oneOf", "not", "if", "contains"];

/**
 * Makes properties with a `default` optional, since the server knows what to do without them. Schemas below `oneOf`, `not`,
 * `if` and `contains` are unchanged: if they accepted more, the whole could accept less. Expects a schema without defect.
 */
export function requireLess(root: JsonObject): JsonObject {
  const { subschemas, targets } = resolveReferences(root);
  const below = subschemas.flatMap(subschemasOf).filter(({ keyword }) => EXACT.includes(keyword));
  const exact = new Set(below.map(({ schema }) => schema));
  for (const node of exact) {
    for (const target of targets(node)) exact.add(target);
    for (const { schema } of subschemasOf(node)) exact.add(schema);
  }
  const relax = (node: JsonObject): JsonObject => {
    if (exact.has(node)) return node;
    const copy = mapSubschemas(node, relax);
    const properties = objectOf(node.properties);
    const required = listOf(node.required);
    const left = required.filter((name) => {
      return !Object.hasOwn(objectOf(properties[String(name)]), "default");
    });
    if (left.length === required.length) return copy;
    const { required: _, ...rest } = copy;
    return left.length > 0 ? { ...copy, required: left } : rest;
  };
  return relax(root);
}

/** The most schemas that are visited to close one. */
const MAX_CLOSING = 100_000;

/** Names that some validators wrongly treat as evaluated, because they keep the evaluated names in an object. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

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
    if (++work > MAX_CLOSING) throw new RangeError("it is too complex to be applied strictly");
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

function isChoice({ keyword }: Subschema): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

function namesProperties({ properties, patternProperties }: JsonObject): boolean {
  return properties !== undefined || patternProperties !== undefined;
}

const CONDITIONS = ["if", "then", "else", "dependentSchemas", "dependencies"];
const REFUSING = [...CONDITIONS, "not", "enum", "const"];
const TOP = ["$ref", "allOf", "anyOf", "oneOf", ...REFUSING];
const SOME_REFUSED = "Some combinations of arguments are refused.";
const MAX_WORK = 2_000;

/**
 * Converts a tool's input schema to what providers accept: an object with `properties`, without a union, `not` or `enum` at the
 * top. Alternatives become one set of arguments, and an argument is required only if all alternatives require it. The
 * `description` mentions that some combinations are refused. The result accepts everything that the schema describes and
 * accepts. Expects a schema without defect.
 */
export function providerSchema(schema: JsonObject): JsonObject {
  const shown = known.get(schema) ?? complete(has(schema, TOP) ? flatten(schema) : schema);
  known.set(schema, shown);
  return shown;
}

/** The results by schema, since tools are created for each request, and a schema of eight properties takes 0.15 ms. */
const known = new WeakMap<JsonObject, JsonObject>();

/** Copies a schema. Each object gets `properties` and each list gets `items`, without which providers refuse them. */
function complete({ $schema, ...node }: JsonObject): JsonObject {
  const { type, properties, items, prefixItems } = node;
  return {
    ...mapSubschemas(node, complete), // In the order of the server, which costs fewer tokens.
    ...(type === "object" && properties === undefined && { properties: {} }),
    ...(type === "array" && (items ?? prefixItems) === undefined && { items: {} }),
  };
}

function flatten(root: JsonObject): JsonObject {
  const references = resolveReferences(root);
  /** The schemas of each argument: those that always apply, and those of alternatives. */
  const named = { always: new Map<string, unknown[]>(), either: new Map<string, unknown[]>() };
  let work = 0;
  let isLoose = false;

  /** Reads a part and all schemas that apply with it. Returns the names that it requires. */
  const read = (part: JsonObject, when: keyof typeof named): readonly unknown[] => {
    const own = Object.entries(objectOf(part.properties));
    work += 1 + own.length;
    if (work > MAX_WORK) return [];
    for (const [name, schema] of own) {
      named[when].set(name, [...(named[when].get(name) ?? []), schema]);
    }
    isLoose ||= has(part, REFUSING);
    for (const { schema, keyword } of subschemasOf(part)) {
      if (CONDITIONS.includes(keyword)) read(schema, "either");
    }
    const shared = [part.oneOf, part.anyOf].flatMap((union) => {
      const all = listOf(union).filter((one) => one !== false);
      isLoose ||= all.length > 1;
      const [first, ...others] = all.map((one) => read(objectOf(one), "either"));
      return first?.filter((name) => others.every((other) => other.includes(name))) ?? [];
    });
    const together = [...references.targets(part), ...listOf(part.allOf).map(objectOf)];
    const always = together.flatMap((one) => read(one, when));
    return [...new Set([...listOf(part.required), ...always, ...shared])];
  };

  const required = read(root, "always");
  const names = [...new Set([...named.always.keys(), ...named.either.keys()])];
  const properties = names.map((name) => {
    return [name, joinSchemas(named.always.get(name) ?? named.either.get(name) ?? [])] as const;
  });
  // This keyword would refuse other properties than before in the merged schema.
  const dropped = [...TOP, "unevaluatedProperties"];
  const kept = Object.entries(root).filter(([key]) => !dropped.includes(key));
  const descriptions = [root.description, isLoose && SOME_REFUSED].filter(
    (text) => typeof text === "string",
  );
  const flat = {
    ...Object.fromEntries(kept),
    type: "object",
    ...(descriptions.length > 0 && { description: descriptions.join(" ") }),
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
  const refersBack = references.subschemas.some((one) => references.targets(one).includes(root));
  if (work <= MAX_WORK && !refersBack && schemaDefect(flat) === undefined) return flat;
  const open = Object.fromEntries(names.map((name) => [name, {}]));
  return { type: "object", description: SOME_REFUSED, properties: open };
}

function has(part: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(part, key));
}

/** Joins schemas into one that accepts what any of them accepts. Schemas that differ only in their values become one `enum`. */
function joinSchemas(schemas: readonly unknown[]): unknown {
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
