import { isJsonObject, type JsonObject, measure } from "./json.ts";
import { type References, resolveReferences } from "./references.ts";
import { subschemasOf } from "./subschemas.ts";

/** A validator's verdict on one value, as in both MCP SDKs. */
export type JsonSchemaVerdict =
  | { readonly valid: true; readonly data: unknown; readonly errorMessage: undefined }
  | { readonly valid: false; readonly data: undefined; readonly errorMessage: string };

/**
 * A JSON Schema library, with the interface of `jsonSchemaValidator` in both MCP SDKs: a validator written for either fits.
 * `getValidator` throws if it cannot compile the schema.
 */
export interface JsonSchemaValidator {
  getValidator(schema: JsonObject): (input: unknown) => JsonSchemaVerdict;
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
  return references.problem ?? loopOrMultiple(references);
}

/** Follows the subschemas that apply to the same value, and finds loops and references that multiply. */
function loopOrMultiple({ subschemas, targets }: References): string | undefined {
  const visits = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  let defect: string | undefined;
  const count = (node: JsonObject): number => {
    const known = visits.get(node);
    if (known !== undefined || defect !== undefined) return known ?? 0;
    if (open.has(node)) defect = "its references form a loop that no value can end";
    if (open.size > MAX_CHAIN)
      defect = `one value follows more than ${MAX_CHAIN} of its references in a row`;
    open.add(node);
    let sum = 1;
    for (const { role, schema } of subschemasOf(node)) {
      if (role === "same" || role === "test") sum += count(schema);
    }
    for (const target of targets(node)) sum += count(target);
    open.delete(node);
    if (sum > MAX_VISITS) defect = "its references multiply until no check of a value ends in time";
    visits.set(node, sum);
    return sum;
  };
  for (const node of subschemas) count(node);
  return defect;
}
