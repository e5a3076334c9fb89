/** What becomes of a tool's input schema: for all who call it, and for the providers of models. @module */

import { canonicalJson, type JsonObject } from "./json.ts";
import { listOf, objectOf, resolveReferences, schemaDefect, subschemasOf } from "./schema.ts";

/** Makes arguments with a `default` optional, since the server knows what to do without them. */
export function requireLess(schema: JsonObject): JsonObject {
  const properties = objectOf(schema.properties);
  const hasDefault = (name: unknown) => Object.hasOwn(objectOf(properties[`${name}`]), "default");
  const all = listOf(schema.required);
  const required = all.filter((name) => !hasDefault(name));
  if (required.length === all.length) return schema;
  const { required: _, ...rest } = schema;
  return required.length > 0 ? { ...rest, required } : rest;
}

const CONDITIONS = ["if", "then", "else", "dependentSchemas", "dependencies"];
const TOP = [...CONDITIONS, "$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const"];
const HINT = "Some combinations of arguments may be refused.";
/** The most parts of a schema, with their arguments, that are read to merge them. */
const MAX_READ = 2_000;

/**
 * Converts a tool's input schema to what providers accept: an object with `properties`, without a union, `not` or `enum` at the
 * top. Alternatives become one set of arguments, and an argument is required only if all alternatives require it. The
 * `description` mentions that some combinations may be refused. Expects a schema without defect.
 */
export function providerSchema(schema: JsonObject): JsonObject {
  const isFlat = !TOP.some((keyword) => Object.hasOwn(schema, keyword));
  const shown = known.get(schema) ?? complete(isFlat ? schema : flatten(schema));
  known.set(schema, shown);
  return shown;
}

/** The results by schema, since tools are created for each request, and a thousand schemas take 30 ms. */
const known = new WeakMap<JsonObject, JsonObject>();

/** Copies a schema. Each object gets `properties` and each list gets `items`, without which providers refuse them. */
function complete(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  for (const node of resolveReferences(copy).subschemas as Record<string, unknown>[]) {
    delete node.$schema;
    if (node.type === "object") node.properties ??= {};
    if (node.type === "array" && node.prefixItems === undefined) node.items ??= {};
  }
  return copy;
}

function flatten(root: JsonObject): JsonObject {
  const { targets } = resolveReferences(root);
  const named = new Map<string, unknown[]>();
  let count = 0;
  /** Reads the arguments that a part describes, and returns those that it requires. */
  const read = (part: JsonObject): readonly unknown[] => {
    const own = Object.entries(objectOf(part.properties));
    const required = listOf(part.required);
    count += 1 + own.length + required.length;
    if (count > MAX_READ) return [];
    for (const [name, schema] of own) named.set(name, [...(named.get(name) ?? []), schema]);
    for (const { schema, keyword } of subschemasOf(part)) {
      if (CONDITIONS.includes(keyword)) read(schema);
    }
    const always = [...listOf(part.allOf).map(objectOf), ...targets(part)].flatMap(read);
    const shared = [part.anyOf, part.oneOf].flatMap((union) => {
      const [first = [], ...others] = listOf(union).map((one) => read(objectOf(one)));
      return first.filter((name) => others.every((other) => other.includes(name)));
    });
    return [...new Set([...required, ...always, ...shared])];
  };

  const required = read(root);
  const joined = [...named].map(([name, schemas]) => {
    const possible = schemas.filter((schema) => schema !== false);
    const all = [...new Map(possible.map((schema) => [canonicalJson(schema), schema])).values()];
    return [name, all.length > 1 ? { anyOf: all } : (all[0] ?? false)] as const;
  });
  const properties = { ...Object.fromEntries(joined), ...objectOf(root.properties) };
  const description = typeof root.description === "string" ? `${root.description} ${HINT}` : HINT;
  // The last keyword would refuse other properties than before.
  const dropped = [...TOP, "unevaluatedProperties"];
  const flat = {
    ...Object.fromEntries(Object.entries(root).filter(([key]) => !dropped.includes(key))),
    ...{ type: "object", description, properties },
    ...(required.length > 0 && { required }),
  };
  // A reference to what was dropped leads nowhere.
  if (schemaDefect(flat) === undefined) return flat;
  const open = Object.fromEntries(Object.keys(properties).map((name) => [name, {}]));
  return { type: "object", description, properties: open };
}
