import { isJsonObject, type JsonObject } from "./json.ts";
import { subschemasOf } from "./subschemas.ts";

/** The references of a schema. Each is a pointer to a place in the same document, such as `#/$defs/name`. */
export interface References {
  /** All schema objects of the document, the root first. */
  readonly subschemas: readonly JsonObject[];
  /** Describes a reference that cannot be followed. */
  readonly problem?: string | undefined;
  /** Returns the schema that the `$ref` of a subschema leads to, in a list, which is empty without a `$ref` and for `true` and `false`. */
  targets(subschema: JsonObject): readonly JsonObject[];
}

/** A pointer that all libraries read in the same way: without empty keys, and in percent encoding ASCII without `/`, `%` and `~`. */
const POINTER = /^#(?:\/(?:[^/%#\p{Cc}]|%(?!2f|25|7e)[0-7][\da-f])+)*$/iu;
const DYNAMIC = ["$dynamicRef", "$recursiveRef"];

/** Finds the subschemas of a measured schema and follows their references. Fetches nothing. */
export function resolveReferences(root: JsonObject): References {
  const subschemas = [root];
  for (const node of subschemas) {
    for (const { schema } of subschemasOf(node)) subschemas.push(schema);
  }
  const known = new Set<unknown>(subschemas);
  const links = new Map<JsonObject, readonly JsonObject[]>();
  let problem: string | undefined;
  for (const node of subschemas) {
    const dynamic = DYNAMIC.find((keyword) => typeof node[keyword] === "string");
    if (dynamic) problem ??= `it has a ${dynamic}; use a $ref such as "#/$defs/name"`;
    const { $ref } = node;
    if (typeof $ref !== "string") continue;
    const target = POINTER.test($ref) ? follow(root, $ref) : undefined;
    if (isJsonObject(target) && known.has(target)) links.set(node, [target]);
    else if (typeof target !== "boolean") {
      problem ??= `it refers to ${JSON.stringify($ref)}, which is not a schema in it and is never fetched; use a $ref such as "#/$defs/name"`;
    }
  }
  // The pointers below another `$id` would begin there.
  if (links.size > 0 && subschemas.slice(1).some(({ $id }) => typeof $id === "string")) {
    problem ??= "it has both references and an $id below its top; remove the $id";
  }
  return {
    subschemas,
    problem,

    targets: (subschema) => links.get(subschema) ?? [],
  };
}

/** Follows a JSON pointer (RFC 6901) through own properties. */
function follow(root: unknown, pointer: string): unknown {
  let node = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as JsonObject)[key];
  }
  return node;
}
