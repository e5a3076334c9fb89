/** The validator of JSON Schema: Ajv, with patterns in linear time. @module */

import { _, Ajv, type ErrorObject, Name, type Options, str } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { canonicalJson, type JsonObject } from "./json.ts";
import { createPattern } from "./pattern.ts";
import { shorten } from "./plain-text.ts";
import { objectOf, readDialect, resolveReferences, schemaDefect } from "./schema.ts";

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

/** The most steps of a check, which take about a second: visits of subschemas, and steps of patterns. */
const MAX_STEPS = 10_000_000;
/** The maximum total size of a schema's patterns. */
const MAX_PATTERNS_SIZE = 50_000;
/** The most names that properties may depend on, since Ajv takes quadratic time to compile them. */
const MAX_NEEDED = 500;
/** The most errors that are found in one value, that a message has for a model, and the length of each in it. */
const [MAX_FOUND, MAX_SHOWN, MAX_LENGTH] = [100_000, 8, 300];
/** The variable of Ajv's code for the errors so far. */
const ERRORS = new Name("vErrors");

const GRAMMAR = { strict: false, logger: false, validateFormats: false } satisfies Options;
const CHECKS = {
  ...{ ...GRAMMAR, meta: false, validateSchema: false, ownProperties: true, inlineRefs: false },
  allErrors: true, // A model corrects all mistakes at once.
  loopRequired: 1, // Without a loop, Ajv ignores a required property with an empty name.
} satisfies Options;
type AnyAjv = Ajv | Ajv2019 | Ajv2020;
/** The validators of schemas themselves. All hosts share them, since Ajv takes 20 ms to compile one. They keep no schema. */
const grammars: { "2020-12"?: AnyAjv; "draft-07"?: AnyAjv } = {};

/** Returns true if this runtime can run the code that Ajv generates. */
export function generatesCode(): boolean {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}

/**
 * Creates the default validator: Ajv with the dialect of `$schema`, patterns in linear time, own properties only, and a new
 * instance for each schema. `format` is an annotation. In draft-07, keywords of 2019-09 such as `unevaluatedProperties` count
 * too. Throws `invalid-options` where a runtime forbids generated code.
 */
export function createValidator(): JsonSchemaValidator {
  if (!generatesCode()) throw invalidOptions(NO_CODE);
  return {
    getValidator(given) {
      const defect = schemaDefect(given);
      if (defect) throw unusable(defect);
      const dialect = readDialect(given) ?? "2020-12";
      const schema = prepareSchema(given);
      grammars[dialect] ??= new (dialect === "2020-12" ? Ajv2020 : Ajv)(GRAMMAR);
      const grammar = grammars[dialect];
      if (!grammar.validateSchema(schema)) {
        const errors = grammar.errorsText(grammar.errors, { dataVar: "schema" });
        throw unusable(`it is not valid JSON Schema: ${errors}`);
      }
      let steps = 0;
      let found: readonly ErrorObject[] = [];
      const spend = (cost: number): true => {
        steps += cost;
        if (steps <= MAX_STEPS && found.length <= MAX_FOUND) return true;
        throw new RangeError("checking this value against this schema takes too long");
      };
      const visit = (errors: readonly ErrorObject[] | null) => {
        found = errors ?? [];
        spend(1);
      };
      // Ajv's optimizer takes quadratic time: 1,000 properties would block for seconds.
      const code = { regExp: toPatterns(spend), optimize: false };
      const ajv = new (dialect === "2020-12" ? Ajv2020 : Ajv2019)({ ...CHECKS, code });
      addKeywords(ajv, visit);
      const validate = ajv.compile(schema);
      return (data) => {
        [steps, found] = [0, []];
        let end = "";
        try {
          if (validate(data)) return { valid: true, data, errorMessage: undefined };
          found = validate.errors ?? [];
        } catch (cause) {
          if (found.length === 0) throw cause;
          end = "; it takes too long to find all";
        }
        return { valid: false, data: undefined, errorMessage: describe(found) + end };
      };
    },
  };
}

const NO_CODE =
  "The default validator, Ajv, generates code, which this runtime forbids: pass `validator`, such as a new " +
  "CfWorkerJsonSchemaValidator() from @modelcontextprotocol/client/validators/cf-worker or from " +
  "@modelcontextprotocol/sdk/validation/cfworker.";

function unusable(why: string): ToolrailError {
  return new ToolrailError("quarantined-tool", `The schema cannot be used: ${why}.`);
}

/** A keyword that counts the visits of each subschema. */
const VISIT = "x-toolrail-visit";
/** Keywords that change what Ajv does, and belong to neither dialect or declare addresses. */
const REMOVED = ["$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$async", "$schema"];

/** Copies a schema for Ajv, so that nothing in it means more than the dialects say. */
function prepareSchema(given: JsonObject) {
  const schema = structuredClone(given);
  const { subschemas } = resolveReferences(schema);
  let needed = 0;
  for (const node of subschemas as { [keyword: string]: unknown }[]) {
    for (const keyword of REMOVED) delete node[keyword];
    node[VISIT] = true;
    if (node.type === undefined || node.nullable !== true) delete node.nullable;
    for (const names of [node.dependentRequired, node.dependencies].map(objectOf)) {
      needed += Object.values(names).flat().length;
    }
  }
  if (needed > MAX_NEEDED) throw unusable(`over ${MAX_NEEDED} properties depend on others`);
  return schema;
}

/** Adds the count of visits, an exact `multipleOf`, and a linear `uniqueItems`: Ajv compares all pairs of items. */
function addKeywords(ajv: AnyAjv, visit: (errors: readonly ErrorObject[] | null) => void): void {
  ajv.addKeyword({
    keyword: VISIT,
    code: ({ gen }) => gen.code(_`${gen.scopeValue("func", { ref: visit })}(${ERRORS})`),
  });
  ajv.removeKeyword("multipleOf").addKeyword({
    keyword: "multipleOf",
    type: "number",
    error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
    validate: (divisor: number, value: number) => isMultiple(value, divisor),
  });
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    error: { message: "must NOT have duplicate items" },
    validate: (isWanted: boolean, items: unknown[]) =>
      !isWanted || new Set(items.map(canonicalJson)).size === items.length,
  });
}

/** Divides two numbers as their decimal digits say: 19.99 is a multiple of 0.01. */
function isMultiple(value: number, divisor: number): boolean {
  const [a, b] = [toDecimal(value), toDecimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (number: typeof a) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return scale(a) % scale(b) === 0n;
}

function toDecimal(number: number) {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Compiles patterns once each. A test takes steps by the lengths of the text and the pattern. */
function toPatterns(spend: (cost: number) => true) {
  const known = new Map<string, ReturnType<typeof createPattern>>();
  let size = 0;
  const create = (source: string) => {
    const pattern = known.get(source) ?? createPattern(source);
    if (!known.has(source)) size += pattern.size;
    if (size > MAX_PATTERNS_SIZE) throw unusable("its patterns are too large in total");
    known.set(source, pattern);
    const test = (text: string) =>
      spend(text.length * (4 + pattern.size / 4)) && pattern.test(text);
    return { toString: () => source, test };
  };
  return Object.assign(create, { code: "createPattern" });
}

function describe(errors: readonly ErrorObject[]): string {
  const shown = errors.slice(0, MAX_SHOWN).map(({ instancePath, message, params }) => {
    return shorten(`${instancePath || "/"} ${message}${hint(params)}`, MAX_LENGTH);
  });
  if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`);
  return shown.join("; ");
}

function hint(params: JsonObject): string {
  const { additionalProperty, unevaluatedProperty = additionalProperty } = params;
  if (typeof unevaluatedProperty === "string") return ` (${unevaluatedProperty})`;
  if (Array.isArray(params.allowedValues)) return `: ${JSON.stringify(params.allowedValues)}`;
  return "";
}
