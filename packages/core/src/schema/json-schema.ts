import { isJsonObject, type JsonObject, measure } from "../json.ts";
import { type References, resolveReferences } from "./references.ts";

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
/** How far references may lead on for one value: a bound for the stack. */
const MAX_CHAIN = 500;

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
  const { objects, refers } = survey(schema);
  if (!refers) return objects > MAX_SUBSCHEMAS ? tooMany() : undefined;
  const references = resolveReferences(schema);
  if (references.subschemas.length > MAX_SUBSCHEMAS) return tooMany();
  if (references.dangling !== undefined) {
    return `it refers to ${JSON.stringify(references.dangling)}, which is not in it and never fetched`;
  }
  return referenceDefect(references);
}

function tooMany(): string {
  return `it has more than ${MAX_SUBSCHEMAS} subschemas`;
}

/** A first look, since most schemas refer to nothing: objects in it, and whether one may be a reference. */
function survey(schema: JsonObject): { objects: number; refers: boolean } {
  const stack: unknown[] = [schema];
  let objects = 0;
  let refers = false;
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node)) {
      for (const item of node) if (typeof item === "object") stack.push(item);
      continue;
    }
    objects++;
    for (const key of Object.keys(node)) {
      if (key === "$ref" || key === "$dynamicRef" || key === "$recursiveRef") refers = true;
      const value = (node as JsonObject)[key];
      if (typeof value === "object") stack.push(value);
    }
  }
  return { objects, refers };
}

const IN_PLACE_LISTS = ["allOf", "anyOf", "oneOf"] as const;
const IN_PLACE = ["not", "if", "then", "else"] as const;
const IN_PLACE_BY_NAME = ["dependentSchemas", "dependencies"] as const;

/** Follows the subschemas that apply to the same value: a loop never ends, doubling never seems to. */
function referenceDefect(references: References): string | undefined {
  const visits = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  let defect: string | undefined;
  const count = (node: unknown): number => {
    if (!isJsonObject(node) || defect !== undefined) return 0;
    const known = visits.get(node);
    if (known !== undefined) return known;
    if (open.has(node)) {
      defect = "its references form a loop that no value can end";
      return 0;
    }
    if (open.size > MAX_CHAIN) {
      defect = `it refers on and on, more than ${MAX_CHAIN} times for one value`;
      return 0;
    }
    open.add(node);
    let sum = 1;
    for (const next of inPlace(node)) sum += count(next);
    for (const next of references.targets(node)) sum += count(next);
    open.delete(node);
    if (sum > MAX_VISITS) defect = "its references multiply beyond any reasonable check";
    visits.set(node, sum);
    return sum;
  };
  for (const node of references.subschemas) count(node);
  return defect;
}

function inPlace(node: JsonObject): unknown[] {
  const next: unknown[] = IN_PLACE.map((key) => node[key]);
  for (const key of IN_PLACE_LISTS) if (Array.isArray(node[key])) next.push(...node[key]);
  for (const key of IN_PLACE_BY_NAME) {
    const { [key]: byName } = node;
    if (isJsonObject(byName)) next.push(...Object.values(byName));
  }
  return next;
}
