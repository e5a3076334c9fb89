import { isJsonObject, type JsonObject, measure } from "./json.ts";

/** A schema directly inside another one. */
export interface Subschema {
  readonly schema: JsonObject;
  readonly keyword: string;
  /** Its name or index if the keyword holds several. */
  readonly key?: string;
}

/** The keywords whose schemas describe the same value as the schema around them, always or on a condition. */
export const SAME_VALUE = [
  ...["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies"],
];
/** The keywords whose schemas are applied to that value. */
const APPLIED = [...SAME_VALUE, "not", "if"];
/** The keywords whose keys are chosen by the author of the schema, so that a property may be called `default`. */
const BY_NAME = [
  ...["properties", "patternProperties", "dependentSchemas", "dependencies"],
  ...["$defs", "definitions"],
];
/** The keywords that hold data, in which `$ref` has no meaning. */
const DATA = ["const", "enum", "default", "examples", "dependentRequired"];

/** Lists the direct subschemas of a schema. Leaves out `true` and `false`. */
export function subschemasOf(node: JsonObject): Subschema[] {
  return Object.entries(node).flatMap(([keyword, held]) => {
    if (DATA.includes(keyword)) return [];
    if (isJsonObject(held) && !BY_NAME.includes(keyword)) return { schema: held, keyword };
    const entries = typeof held === "object" && held !== null ? Object.entries(held) : [];
    return entries.flatMap(([key, schema]) => {
      return isJsonObject(schema) ? { schema, keyword, key } : [];
    });
  });
}

/** Returns the value if it is an object, else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns the value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A pointer that all libraries read in the same way: without empty keys, and in percent encoding ASCII without `/`, `%` and `~`. */
const POINTER = /^#(?:\/(?:[^/%#\p{Cc}]|%(?!2f|25|7e)[0-7][\da-f])+)*$/iu;
const FORM = 'use a $ref such as "#/$defs/name"';

/**
 * Finds all subschemas of a measured schema, itself first, and follows their references, each a pointer to a place in the same
 * document. Fetches nothing. `targets` returns what the `$ref` of a subschema leads to, in a list, which is empty without a
 * `$ref` and for `true` and `false`. `problem` describes a reference that cannot be followed.
 */
export function resolveReferences(root: JsonObject) {
  const subschemas: JsonObject[] = [root];
  for (const node of subschemas) {
    for (const { schema } of subschemasOf(node)) subschemas.push(schema);
  }
  const known = new Set<unknown>(subschemas);
  const links = new Map<JsonObject, readonly JsonObject[]>();
  let problem: string | undefined;
  for (const node of subschemas) {
    const { $ref } = node;
    const dynamic = ["$dynamicRef", "$recursiveRef"].find((key) => typeof node[key] === "string");
    if (dynamic) problem ??= `it has a ${dynamic}; ${FORM}`;
    if (typeof $ref !== "string") continue;
    const target = POINTER.test($ref) ? follow(root, $ref) : undefined;
    if (isJsonObject(target) && known.has(target)) links.set(node, [target]);
    else if (typeof target !== "boolean") {
      problem ??= `it refers to ${JSON.stringify($ref)}, which is not a schema in it and is never fetched; ${FORM}`;
    }
  }
  // The pointers below another `$id` would begin there.
  if (links.size > 0 && subschemas.slice(1).some(({ $id }) => typeof $id === "string")) {
    problem ??= "it has both references and an $id below its top; remove the $id";
  }
  return { subschemas, problem, targets: (subschema: JsonObject) => links.get(subschema) ?? [] };
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

const LIMITS = { maxBytes: 262_144, maxDepth: 64 };
const MAX_SUBSCHEMAS = 5_000;
/** The maximum number of subschemas visited for one value. It stops references that double at each level. */
const MAX_VISITS = 20_000;
/** The longest chain of references for one value. It protects the stack. */
const MAX_CHAIN = 500;

/** Reads the dialect from `$schema`. The default is 2020-12 (MCP 2026-07-28). */
export function readDialect(schema: JsonObject): "2020-12" | "draft-07" | undefined {
  const { $schema: uri = "https://json-schema.org/draft/2020-12/schema" } = schema;
  if (typeof uri !== "string") return undefined;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(uri)) return "2020-12";
  return /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(uri) ? "draft-07" : undefined;
}

/**
 * Finds the reason why a schema from an untrusted server must not be compiled, or returns `undefined`. Checks the size, depth
 * and dialect, and whether references lead nowhere, loop or multiply. The validator checks keywords and patterns.
 */
export function schemaDefect(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return "it is not an object";
  const size = measure(schema, LIMITS);
  if (size) return size;
  if (readDialect(schema) === undefined) {
    return `its $schema ${JSON.stringify(schema.$schema)} is unsupported; use 2020-12 or draft-07`;
  }
  const references = resolveReferences(schema);
  if (references.subschemas.length > MAX_SUBSCHEMAS) {
    return `it has more than ${MAX_SUBSCHEMAS} subschemas`;
  }
  return references.problem ?? findEndless(references);
}

/** Counts the subschemas that one value visits. A loop of references would visit them without end. */
function findEndless({ subschemas, targets }: ReturnType<typeof resolveReferences>) {
  const visits = new Map<JsonObject, number>();
  const count = (node: JsonObject, depth: number): number => {
    const known = visits.get(node);
    if (known !== undefined) return known;
    visits.set(node, Number.POSITIVE_INFINITY);
    if (depth > MAX_CHAIN) return Number.POSITIVE_INFINITY;
    const below = subschemasOf(node).filter(({ keyword }) => APPLIED.includes(keyword));
    let sum = 1;
    for (const next of [...below.map(({ schema }) => schema), ...targets(node)]) {
      sum += count(next, depth + 1);
    }
    visits.set(node, sum);
    return sum;
  };
  if (subschemas.every((node) => count(node, 0) <= MAX_VISITS)) return undefined;
  return "its references loop or multiply, so that no check of a value ends in time";
}
