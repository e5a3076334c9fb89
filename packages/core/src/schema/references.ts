import { isJsonObject, type JsonObject } from "../json.ts";

/** Keywords whose value is data, not schemas: a `$ref` in there is no reference. */
const LITERALS = new Set(["const", "enum", "default", "examples"]);
/** Keywords whose keys are names that the author chose, so that `default` may be a property. */
const BY_NAME = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
/** Stands for the address of a schema that has none; nothing is ever fetched. */
const BASE = "schema://local/";

/** The references of one document, resolved inside it. */
export interface References {
  /** Every object in a place where a schema may stand, the root first. */
  readonly subschemas: readonly JsonObject[];
  /** A reference that leads out of the document, or nowhere. */
  readonly dangling?: string;
  /** Where the references of a subschema lead. */
  targets(subschema: JsonObject): readonly JsonObject[];
}

/** Finds the subschemas of a measured schema and resolves `$ref`, `$id` and anchors, fetching nothing. */
export function resolveReferences(root: JsonObject): References {
  const bases = new Map<JsonObject, string>();
  const resources = new Map<string, JsonObject>([[BASE, root]]);
  const stack = [{ node: root, base: BASE }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node } = top;
    const base = enter(node, top.base, resources);
    bases.set(node, base);
    for (const inner of subschemasOf(node)) stack.push({ node: inner, base });
  }
  const targets = new Map<JsonObject, JsonObject[]>();
  let dangling: string | undefined;
  for (const [node, base] of bases) {
    for (const reference of referencesOf(node)) {
      const target = resolve(reference, base, resources);
      if (!isJsonObject(target) && typeof target !== "boolean") dangling ??= reference;
      if (isJsonObject(target)) targets.set(node, [...(targets.get(node) ?? []), target]);
    }
  }
  return {
    subschemas: [...bases.keys()],
    ...(dangling !== undefined && { dangling }),
    targets: (subschema) => targets.get(subschema) ?? [],
  };
}

/** The objects right below a subschema where schemas may stand, in lists and under names too. */
function subschemasOf(node: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (LITERALS.has(keyword)) continue;
    const held = BY_NAME.has(keyword) && isJsonObject(value) ? Object.values(value) : [value];
    for (const item of held.flat(3)) if (isJsonObject(item)) found.push(item);
  }
  return found;
}

/** Notes the addresses that a subschema gives itself; returns the base of the references in it. */
function enter(node: JsonObject, outer: string, resources: Map<string, JsonObject>): string {
  const { $id: id, $anchor, $dynamicAnchor } = node;
  let base = outer;
  if (typeof id === "string") {
    const address = toAddress(id, outer);
    if (address !== undefined && !resources.has(address)) resources.set(address, node);
    if (address !== undefined && !id.startsWith("#")) base = address.replace(/#.*$/s, "");
  }
  for (const anchor of [$anchor, $dynamicAnchor]) {
    const address = typeof anchor === "string" ? `${base}#${anchor}` : undefined;
    if (address !== undefined && !resources.has(address)) resources.set(address, node);
  }
  return base;
}

function referencesOf({ $ref, $dynamicRef, $recursiveRef }: JsonObject): string[] {
  return [$ref, $dynamicRef, $recursiveRef].filter((value) => typeof value === "string");
}

function resolve(reference: string, base: string, resources: ReadonlyMap<string, JsonObject>) {
  const address = toAddress(reference, base);
  if (address === undefined) return undefined;
  const [document = "", fragment = ""] = address.split("#");
  if (fragment === "") return resources.get(document);
  if (!fragment.startsWith("/")) return resources.get(address);
  return pointer(resources.get(document), fragment);
}

function toAddress(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href.replace(/#$/, "");
  } catch {
    return undefined;
  }
}

/** Follows a JSON Pointer (RFC 6901) through own properties. */
function pointer(root: unknown, path: string): unknown {
  let node = root;
  for (const part of path.split("/").slice(1)) {
    const key = safeDecode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as JsonObject)[key];
  }
  return node;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
