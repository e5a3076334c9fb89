import { isJsonObject, type JsonObject } from "../json.ts";
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

/** Lists the arguments that an input schema describes. Returns `undefined` if it may accept others. */
export function argumentNames(schema: JsonObject): readonly string[] | undefined {
  const { targets } = resolveReferences(schema);
  const names = new Set<string>();
  const seen = new Set<JsonObject>();
  let isOpen = false;
  const visit = (node: JsonObject) => {
    if (seen.has(node)) return;
    seen.add(node);
    const { properties, patternProperties, additionalProperties: more } = node;
    for (const name of isJsonObject(properties) ? Object.keys(properties) : []) names.add(name);
    isOpen ||= isJsonObject(patternProperties) || more === true || isJsonObject(more);
    for (const { schema: part, role } of subschemasOf(node)) if (role === "same") visit(part);
    for (const target of targets(node)) visit(target);
  };
  visit(schema);
  return isOpen || names.size === 0 ? undefined : [...names];
}
