/** The validator of JSON Schema: Ajv, with patterns in linear time. @module */

import { Ajv, type ErrorObject, type Format, type Options, str } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type JsonSchemaValidator, readDialect, schemaDefect } from "./check-schema.ts";
import { canonicalJson, JsonError, type JsonObject } from "./json.ts";
import { createPattern, type Pattern } from "./pattern.ts";
import { resolveReferences } from "./references.ts";
import { objectOf } from "./subschemas.ts";

/** The most steps of a check, which take about a second: visits by reference and steps of patterns. */
const MAX_STEPS = 20_000_000;
const STEPS_OF_VISIT = 10;
/** The maximum total size of a schema's patterns. */
const MAX_PATTERNS_SIZE = 50_000;
/** The most names that properties may depend on, since Ajv takes quadratic time to compile them. */
const MAX_NEEDED = 500;
/** The maximum number of errors in one message, since a model may have to read it. */
const MAX_ERRORS = 8;

const GRAMMAR: Options = { strict: false, logger: false, validateFormats: false };
const CHECKS: Options = { ...GRAMMAR, meta: false, validateSchema: false, ownProperties: true };
/** The validators of schemas themselves. All hosts share them, since Ajv takes 20 ms to compile one. They keep no schema. */
const grammars: { "2020-12"?: AnyAjv; "draft-07"?: AnyAjv } = {};
type AnyAjv = Ajv | Ajv2019 | Ajv2020;

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
 * instance for each schema. With `strict`, it checks `format`, and `unevaluatedProperties` in draft-07 too. Throws
 * `invalid-options` where a runtime forbids generated code.
 */
export function createValidator(given: { readonly strict?: boolean } = {}): JsonSchemaValidator {
  const { strict = false, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    const why = `createValidator has no option "${unknown}". Its options are: strict.`;
    throw new JsonError("invalid-options", why);
  }
  if (!generatesCode()) throw new JsonError("invalid-options", NO_CODE);
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
      const spend = (cost: number): true => {
        steps += cost;
        if (steps <= MAX_STEPS) return true;
        throw new RangeError("checking this value against this schema takes too long");
      };
      // `Ajv2019` reads draft-07 too, and supports the keywords that were added later.
      const Compiler = dialect === "2020-12" ? Ajv2020 : strict ? Ajv2019 : Ajv;
      const validate = withKeywords(
        new Compiler({
          ...{ ...CHECKS, validateFormats: strict, formats: FORMATS, inlineRefs: false },
          loopRequired: 1, // Without a loop, Ajv ignores a required property with an empty name.
          // Ajv's optimizer takes quadratic time: 1,000 properties would block for seconds.
          code: { regExp: toPatterns(spend), optimize: false },
        }),
        spend,
      ).compile(schema);
      return (data) => {
        steps = 0;
        if (validate(data)) return { valid: true, data, errorMessage: undefined };
        return { valid: false, data: undefined, errorMessage: describe(validate.errors ?? []) };
      };
    },
  };
}

function unusable(why: string): JsonError {
  return new JsonError("invalid-schema", `The schema cannot be used: ${why}.`);
}

/** The formats that strict validators check. `time` is missing: some schemas mean it with an offset, and some without. */
const NAMES = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];
/** The longest text that can have a format. The expressions of some formats take quadratic time. */
const MAX_FORMATTED = 4_096;
const FORMATS = Object.fromEntries(
  Object.entries(fullFormats).flatMap(([name, format]) =>
    NAMES.includes(name) ? [[name, ofShortTexts(format)]] : [],
  ),
);

function ofShortTexts(format: Format): (text: string) => boolean {
  const test = typeof format === "object" && "validate" in format ? format.validate : format;
  return (text) => {
    if (text.length > MAX_FORMATTED) return false;
    return test instanceof RegExp ? test.test(text) : (test as (text: string) => boolean)(text);
  };
}

const NO_CODE =
  "The default validator, Ajv, generates code, which this runtime forbids: pass `validator`, such as a new " +
  "CfWorkerJsonSchemaValidator() from @modelcontextprotocol/client/validators/cf-worker or from " +
  "@modelcontextprotocol/sdk/validation/cfworker.";

/** A keyword that counts visits. Schemas that references lead to have it, since they alone can multiply with each level of a value. */
const VISIT = "x-toolrail-visit";
/** Keywords that change what Ajv does, and belong to neither dialect or declare addresses. */
const REMOVED = ["$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$async", "$schema"];

/** The name of a property that Ajv ignores. It does not ignore a pattern. */
const ODD_NAME = "__proto__";

/** Copies a schema for Ajv, so that nothing in it means more than the dialects say. */
function prepareSchema(given: JsonObject): JsonObject {
  const schema = structuredClone(given);
  const { subschemas, targets } = resolveReferences(schema);
  let needed = 0;
  for (const node of subschemas as { [keyword: string]: unknown }[]) {
    for (const keyword of [...REMOVED, VISIT]) delete node[keyword];
    if (node.nullable === true && node.type !== undefined) {
      node.type = [...new Set([node.type, "null"].flat())];
    }
    delete node.nullable;
    const properties = objectOf(node.properties);
    if (Object.hasOwn(properties, ODD_NAME)) {
      const pattern = { [`^${ODD_NAME}$`]: properties[ODD_NAME] };
      node.patternProperties = { ...objectOf(node.patternProperties), ...pattern };
      Reflect.deleteProperty(properties, ODD_NAME);
    }
    for (const names of [node.dependentRequired, node.dependencies].map(objectOf)) {
      needed += Object.values(names).flat().length;
    }
  }
  if (needed > MAX_NEEDED) throw unusable(`over ${MAX_NEEDED} properties depend on others`);
  for (const target of subschemas.flatMap(targets)) Object.assign(target, { [VISIT]: true });
  return schema;
}

/** Adds the count of visits, an exact `multipleOf`, and a linear `uniqueItems`: Ajv compares all pairs of items. */
function withKeywords(ajv: AnyAjv, spend: (cost: number) => true): AnyAjv {
  ajv.addKeyword({ keyword: VISIT, errors: false, validate: () => spend(STEPS_OF_VISIT) });
  ajv.removeKeyword("multipleOf").addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
    validate: (divisor: number, value: number) => isMultiple(value, divisor),
  });
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must NOT have duplicate items" },
    validate: (isWanted: boolean, items: unknown[]) =>
      !isWanted || new Set(items.map(canonicalJson)).size === items.length,
  });
  return ajv;
}

/** Divides two numbers as their decimal digits say: 19.99 is a multiple of 0.01. */
function isMultiple(value: number, divisor: number): boolean {
  const [a, b] = [toDecimal(value), toDecimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return scale(a) % scale(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(number: number): Decimal {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Compiles patterns once each. A test takes steps by the lengths of the text and the pattern. */
function toPatterns(spend: (cost: number) => true) {
  const known = new Map<string, Pattern>();
  let size = 0;
  const create = (source: string) => {
    const pattern = known.get(source) ?? createPattern(source);
    if (!known.has(source)) size += pattern.size;
    if (size > MAX_PATTERNS_SIZE) throw unusable("its patterns are too large in total");
    known.set(source, pattern);
    const test = (text: string) =>
      spend(text.length * (8 + pattern.size / 2)) && pattern.test(text);
    return { toString: () => source, test };
  };
  return Object.assign(create, { code: "createPattern" });
}

function describe(errors: readonly ErrorObject[]): string {
  const shown = errors
    .slice(0, MAX_ERRORS)
    .map(({ instancePath, message, params }) => `${instancePath || "/"} ${message}${hint(params)}`);
  if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`);
  return shown.join("; ");
}

function hint(params: JsonObject): string {
  const { additionalProperty, unevaluatedProperty = additionalProperty } = params;
  if (typeof unevaluatedProperty === "string") return ` (${unevaluatedProperty})`;
  if (Array.isArray(params.allowedValues)) return `: ${JSON.stringify(params.allowedValues)}`;
  return "";
}
