import { isJsonObject, type JsonObject } from "../json.ts";
import { resolveReferences } from "./references.ts";
import { subschemasOf } from "./subschemas.ts";

/** The names of the arguments that an input schema describes; `undefined` if it may take others. */
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
