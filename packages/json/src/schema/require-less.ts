import { isJsonObject, type JsonObject } from "../json.ts";
import { resolveReferences } from "./references.ts";
import { mapSubschemas, subschemasOf } from "./subschemas.ts";
import { listOf, objectOf } from "./walk-schema.ts";

/**
 * An input schema that requires nothing that has a `default`, since the server knows what it means to leave that out.
 * Only a schema that one of several must match (`oneOf`), or that is tried on a value (`not`, `if`, `contains`), stays
 * as it is: if it took more, the whole could take less. Expects a schema without defect.
 */
export function requireLess(root: JsonObject): JsonObject {
  if (!hasNeedless(root)) return root;
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
    const needless = needlessIn(node);
    if (needless.length === 0) return copy;
    const { required, ...rest } = copy;
    const left = listOf(required).filter((name) => !needless.includes(name));
    return left.length > 0 ? { ...rest, required: left } : rest;
  };
  return relax(root);
}

function isExact({ keyword }: { readonly keyword: string }): boolean {
  return ["oneOf", "not", "if", "contains"].includes(keyword);
}

/** The required properties that have a default. */
function needlessIn({ required, properties }: JsonObject): unknown[] {
  const named = objectOf(properties);
  return listOf(required).filter(
    (name) => typeof name === "string" && Object.hasOwn(objectOf(named[name]), "default"),
  );
}

/** True if any object in a value requires a property that has a default. Looks into data as well, which does no harm. */
function hasNeedless(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (isJsonObject(value) && needlessIn(value).length > 0) return true;
  return Object.values(value).some(hasNeedless);
}
