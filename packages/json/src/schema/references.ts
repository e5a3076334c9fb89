import { canonicalJson, isJsonObject, type JsonObject } from "../json.ts";
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
  readonly dangling?: string | undefined;
  /** An address of two different subschemas: a reference to it could lead to either. */
  readonly ambiguous?: string | undefined;
  /** Returns the schemas to which the references of a subschema lead. */
  targets(subschema: JsonObject): readonly JsonObject[];
  /** Returns the same, and the schemas `true` and `false` too. */
  links(subschema: JsonObject): readonly (JsonObject | boolean)[];
}

const ADDRESSING = ["$id", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef"];
const NONE = { refers: false, targets: () => [], links: () => [] };

/** Finds the subschemas of a measured schema and resolves `$ref`, `$id` and anchors. Fetches nothing. */
export function resolveReferences(root: JsonObject): References {
  const nodes = [root];
  for (const node of nodes) for (const { schema } of subschemasOf(node)) nodes.push(schema);
  if (!nodes.some((node) => ADDRESSING.some((key) => node[key] !== undefined)))
    return { ...NONE, subschemas: nodes };
  const bases = new Map<JsonObject, string>();
  const resources = new Map([[BASE, root]]);
  let ambiguous: string | undefined;

  /** Registers the addresses that a subschema declares. Returns the base address for the references in it. */
  const enter = (node: JsonObject, outer: string): string => {
    const { $id: id, $anchor, $dynamicAnchor } = node;
    const own = typeof id === "string" ? toAddress(id, outer) : undefined;
    const isBase = own !== undefined && !String(id).startsWith("#");
    const base = isBase ? own.replace(/#.*$/s, "") : outer;
    const anchors = [$anchor, $dynamicAnchor].filter((name) => typeof name === "string");
    // A dynamic anchor is the only one of its name in the whole document, so that `$dynamicRef` means the same as `$ref`.
    const dynamic = typeof $dynamicAnchor === "string" ? `#${$dynamicAnchor}` : own;
    for (const address of [own, dynamic, ...anchors.map((name) => `${base}#${name}`)]) {
      if (address === undefined || ambiguous !== undefined) continue;
      const other = resources.get(address) ?? node;
      if (other !== node && canonicalJson(other) !== canonicalJson(node)) ambiguous = address;
      resources.set(address, other);
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
  const links = new Map<JsonObject, (JsonObject | boolean)[]>();
  let dangling: string | undefined;
  for (const [node, base] of bases) {
    for (const reference of [node.$ref, node.$dynamicRef].filter(
      (one) => typeof one === "string",
    )) {
      const target = resolve(reference, base);
      if (typeof target === "boolean" || (isJsonObject(target) && bases.has(target))) {
        links.set(node, [...(links.get(node) ?? []), target]);
      } else dangling ??= reference;
    }
  }
  return {
    subschemas: [...bases.keys()],
    refers: links.size > 0,
    dangling,
    ambiguous,
    targets: (subschema) => (links.get(subschema) ?? []).filter(isJsonObject),
    links: (subschema) => links.get(subschema) ?? [],
  };
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
