import { isJsonObject, type JsonObject } from "../json.ts";
import { subschemasOf } from "./subschemas.ts";

/** The address of a schema without an `$id`. Nothing is ever fetched. */
const BASE = "schema://local/";

/** The references of a schema, resolved inside the same document. */
export interface References {
  /** All schema objects of the document, the root first. */
  readonly subschemas: readonly JsonObject[];
  /** True if the document contains any reference. */
  readonly refers: boolean;
  /** A reference that leads out of the document, into data or nowhere. */
  readonly dangling?: string;
  /** Returns the schemas to which the references of a subschema lead. */
  targets(subschema: JsonObject): readonly JsonObject[];
}

/** Finds the subschemas of a measured schema and resolves `$ref`, `$id` and anchors. Fetches nothing. */
export function resolveReferences(root: JsonObject): References {
  const nodes = [root];
  for (const node of nodes) for (const { schema } of subschemasOf(node)) nodes.push(schema);
  if (!nodes.some(isAddressed)) return { subschemas: nodes, refers: false, targets: () => [] };
  const bases = new Map<JsonObject, string>();
  const resources = new Map([[BASE, root]]);

  /** Registers the addresses that a subschema declares. Returns the base address for the references in it. */
  const enter = (node: JsonObject, outer: string): string => {
    const { $id: id, $anchor, $dynamicAnchor } = node;
    const own = typeof id === "string" ? toAddress(id, outer) : undefined;
    const isBase = own !== undefined && !String(id).startsWith("#");
    const base = isBase ? own.replace(/#.*$/s, "") : outer;
    const anchors = [$anchor, $dynamicAnchor].filter((name) => typeof name === "string");
    for (const address of [own, ...anchors.map((name) => `${base}#${name}`)]) {
      if (address !== undefined && !resources.has(address)) resources.set(address, node);
    }
    return base;
  };
  const resolve = (reference: string, base: string): unknown => {
    const address = toAddress(reference, base) ?? "";
    const [document = "", fragment = ""] = address.split("#");
    if (fragment.startsWith("/")) return follow(resources.get(document), fragment);
    return resources.get(fragment === "" ? document : address);
  };

  const stack = [{ node: root, outer: BASE }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const base = enter(top.node, top.outer);
    bases.set(top.node, base);
    for (const { schema } of subschemasOf(top.node)) stack.push({ node: schema, outer: base });
  }
  const targets = new Map<JsonObject, JsonObject[]>();
  let dangling: string | undefined;
  for (const [node, base] of bases) {
    const { $ref, $dynamicRef, $recursiveRef } = node;
    for (const reference of [$ref, $dynamicRef, $recursiveRef]) {
      if (typeof reference !== "string") continue;
      const target = resolve(reference, base);
      if (isJsonObject(target) && bases.has(target)) {
        targets.set(node, [...(targets.get(node) ?? []), target]);
      } else if (typeof target !== "boolean") dangling ??= reference;
    }
  }
  return {
    subschemas: [...bases.keys()],
    refers: targets.size > 0,
    ...(dangling !== undefined && { dangling }),
    targets: (subschema) => targets.get(subschema) ?? [],
  };
}

/** Returns true if a subschema declares an address or refers to one. */
function isAddressed(node: JsonObject): boolean {
  const { $id, $anchor, $dynamicAnchor, $ref, $dynamicRef, $recursiveRef } = node;
  return ($id ?? $anchor ?? $dynamicAnchor ?? $ref ?? $dynamicRef ?? $recursiveRef) !== undefined;
}

function toAddress(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base)
    ? new URL(reference, base).href.replace(/#$/, "")
    : undefined;
}

/** Follows a JSON Pointer (RFC 6901) through own properties. */
function follow(root: unknown, pointer: string): unknown {
  let node = root;
  for (const part of pointer.split("/").slice(1)) {
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
