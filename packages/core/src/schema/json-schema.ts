import { isJsonObject, type JsonObject, measure } from "../json.ts";

/** What a validator says of one value: the interface of both MCP SDKs. */
export type JsonSchemaVerdict =
  | { readonly valid: true; readonly data: unknown; readonly errorMessage: undefined }
  | { readonly valid: false; readonly data: undefined; readonly errorMessage: string };

/**
 * The port to a JSON Schema library, as `jsonSchemaValidator` in both MCP SDKs: any validator written
 * for one of them fits. `getValidator` throws where it cannot compile the schema.
 */
export interface JsonSchemaValidator {
  getValidator(schema: JsonObject): (input: unknown) => JsonSchemaVerdict;
}

export type Dialect = "2020-12" | "draft-07";

const LIMITS = { maxBytes: 262_144, maxDepth: 64 };
const MAX_SUBSCHEMAS = 5_000;
/** How often a schema may visit subschemas for one value: a bound for references that double. */
const MAX_VISITS = 20_000;

/** The dialect that `$schema` names: 2020-12 where it is absent (MCP 2026-07-28). */
export function dialectOf(schema: JsonObject): Dialect | undefined {
  const uri = schema.$schema;
  if (uri === undefined) return "2020-12";
  if (typeof uri !== "string") return undefined;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(uri)) return "2020-12";
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(uri)) return "draft-07";
  return undefined;
}

/**
 * What makes a schema from a stranger unsafe to compile, or `undefined`. Says nothing of its keywords:
 * the validator does. Checked are size, depth, dialect, references out of the document, and references
 * that loop or multiply.
 */
export function schemaDefect(schema: unknown): string | undefined {
  if (!isJsonObject(schema)) return "it is not an object";
  const size = measure(schema, LIMITS);
  if (size) return size;
  if (dialectOf(schema) === undefined) {
    return `its $schema ${JSON.stringify(schema.$schema)} is not known; use 2020-12 or draft-07`;
  }
  const found = countSubschemas(schema);
  if (found.objects > MAX_SUBSCHEMAS) return `it has more than ${MAX_SUBSCHEMAS} subschemas`;
  if (found.remote !== undefined && !found.hasIds) {
    return `it refers to ${JSON.stringify(found.remote)}, outside the schema, which is never fetched`;
  }
  return found.hasRefs ? referenceDefect(schema) : undefined;
}

function countSubschemas(schema: JsonObject) {
  const found = {
    objects: 0,
    hasRefs: false,
    hasIds: false,
    remote: undefined as string | undefined,
  };
  const stack: unknown[] = [schema];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node !== "object" || node === null) continue;
    found.objects++;
    for (const [key, value] of Object.entries(node)) {
      if (key === "$id" && node !== schema) found.hasIds = true;
      if ((key === "$ref" || key === "$dynamicRef") && typeof value === "string") {
        found.hasRefs = true;
        if (!value.startsWith("#")) found.remote ??= value;
      }
      stack.push(value);
    }
  }
  return found;
}

const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"] as const;
const IN_PLACE = ["not", "if", "then", "else"] as const;

/** Follows the subschemas that apply to the same value: a loop never ends, doubling never seems to. */
function referenceDefect(root: JsonObject): string | undefined {
  const visits = new Map<JsonObject, number>();
  let defect: string | undefined;
  const count = (node: unknown, open: ReadonlySet<unknown>): number => {
    if (!isJsonObject(node) || defect !== undefined) return 0;
    const known = visits.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) {
      defect = "its references form a loop that no value can end";
      return 0;
    }
    const inside = new Set(open).add(node);
    let sum = 1;
    for (const next of inPlace(node, root)) sum += count(next, inside);
    if (sum > MAX_VISITS) defect = "its references multiply beyond any reasonable check";
    visits.set(node, sum);
    return sum;
  };
  const stack: unknown[] = [root];
  for (let node = stack.pop(); node !== undefined && defect === undefined; node = stack.pop()) {
    if (typeof node !== "object" || node === null) continue;
    if (isJsonObject(node)) count(node, new Set());
    stack.push(...Object.values(node));
  }
  return defect;
}

function inPlace(node: JsonObject, root: JsonObject): unknown[] {
  const next: unknown[] = IN_PLACE.map((key) => node[key]);
  for (const key of IN_PLACE_LISTS) if (Array.isArray(node[key])) next.push(...node[key]);
  const ref = node.$ref;
  if (typeof ref === "string" && ref.startsWith("#")) next.push(pointer(root, ref.slice(1)));
  return next;
}

function pointer(root: JsonObject, path: string): unknown {
  let node: unknown = root;
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
