/** The validator of JSON Schema: Ajv, with patterns in linear time. @module */

import { Ajv, type ErrorObject, type Format, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { canonicalJson, JsonError, type JsonObject } from "../json.ts";
import { createLinearRegExp, type LinearRegExp } from "../regexp/linear.ts";
import { COST_KEYWORD, type Spend, toValidator } from "./bounded-validator.ts";
import type { JsonSchemaValidator, ValidatorOptions } from "./check-schema.ts";
import { checkValidatorOptions, unusableSchema } from "./check-schema.ts";

const GRAMMAR: Options = { strict: false, logger: false, validateFormats: false };
const CHECKS = { meta: false, validateSchema: false, inlineRefs: false, ownProperties: true };
const GRAMMARS = { "2020-12": Ajv2020, "draft-07": Ajv };
/** The validators of schemas themselves. All hosts share them, since Ajv takes 20 ms to compile one. They keep no schema. */
const grammars: { [Dialect in keyof typeof GRAMMARS]?: AnyAjv } = {};
/** The decimals of a quotient that count, since 19.99 / 0.01 is a little less than 1999. */
const EXACT = { multipleOfPrecision: 6 };

/** The formats that strict validators check. `time` is missing: some schemas mean it with an offset, and some without. */
const NAMES = [
  ...(["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6"] as const),
  ...(["uri", "uuid"] as const),
];
/** The longest text that can have a format. The expressions of some formats take quadratic time. */
const MAX_FORMATTED = 4_096;

const FORMATS = Object.fromEntries(NAMES.map((name) => [name, ofShortTexts(fullFormats[name])]));

function ofShortTexts(format: Format): (text: string) => boolean {
  const validate = typeof format === "object" && "validate" in format ? format.validate : format;
  return (text) => {
    if (text.length > MAX_FORMATTED) return false;
    return validate instanceof RegExp
      ? validate.test(text)
      : (validate as (text: string) => boolean)(text);
  };
}

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
 * instance for each schema, since two servers may use the same `$id`. Throws `invalid-options` where a runtime forbids generated
 * code.
 */
export function createValidator(given: ValidatorOptions = {}): JsonSchemaValidator {
  checkValidatorOptions(given);
  if (!generatesCode()) throw new JsonError("invalid-options", NO_CODE);
  const { strict = false } = given;
  const options = { ...GRAMMAR, ...CHECKS, validateFormats: strict, formats: FORMATS };
  // `Ajv2019` reads draft-07 too, and supports the keywords that were added later.
  const compilers = { "2020-12": Ajv2020, "draft-07": strict ? Ajv2019 : Ajv };
  return toValidator(MAX_COST, ({ schema, dialect, spend }) => {
    const Compiler = compilers[dialect];
    grammars[dialect] ??= new GRAMMARS[dialect](GRAMMAR);
    const grammar = grammars[dialect];
    if (!grammar.validateSchema(schema)) {
      const errors = grammar.errorsText(grammar.errors, { dataVar: "schema" });
      throw unusableSchema(`it is not valid JSON Schema: ${errors}`);
    }
    // Ajv's optimizer takes quadratic time: 1,000 properties would block for seconds.
    const code = { regExp: meteredRegExp(spend), optimize: false };
    const validate = bounded(new Compiler({ ...options, ...EXACT, code }), spend).compile(schema);
    return (value) => (validate(value) ? undefined : describe(validate.errors ?? []));
  });
}

const NO_CODE =
  "The default validator, Ajv, generates code, which this runtime forbids: pass `validator`, such as a new " +
  "CfWorkerJsonSchemaValidator() from @modelcontextprotocol/client/validators/cf-worker or from " +
  "@modelcontextprotocol/sdk/validation/cfworker.";

type AnyAjv = Ajv | Ajv2019 | Ajv2020;

/** The maximum work for one value: about a second. It stops schemas that multiply with the depth of a value. */
const MAX_COST = 20_000_000;
/** The cost of counting a character, and of writing it as canonical JSON. */
const COST_OF_COUNTING = 1 / 8;
const COST_OF_CANONICAL = 4;
/** The maximum number of errors in one message, since a model may have to read it. */
const MAX_ERRORS = 8;
/** The maximum total size of a schema's patterns (see `PatternCost`). */
const MAX_PATTERNS_SIZE = 50_000;

/** Creates patterns in linear time. Each test is charged by the lengths of the text and the pattern. */
function meteredRegExp(spend: Spend) {
  let room = MAX_PATTERNS_SIZE;
  const known = new Map<string, LinearRegExp>();
  const create = (pattern: string) => {
    const compiled = known.get(pattern) ?? createLinearRegExp(pattern);
    if (!known.has(pattern)) room -= compiled.size;
    if (room < 0) throw new RangeError("the patterns of the schema are too large in total");
    known.set(pattern, compiled);
    const costPerCharacter = 8 + compiled.size / 2;
    return {
      toString: () => pattern,
      test(text: string) {
        spend(text.length * costPerCharacter);
        return compiled.test(text);
      },
    };
  };
  return Object.assign(create, { code: "meteredRegExp" });
}

/** Charges the cost of checks, and makes `uniqueItems` linear, since Ajv compares all pairs of items. */
function bounded(ajv: AnyAjv, spend: Spend): AnyAjv {
  ajv.addKeyword({
    keyword: COST_KEYWORD,
    errors: false,
    validate: (cost: number, value: unknown) =>
      spend(cost + (typeof value === "string" ? value.length * COST_OF_COUNTING : 0)),
  });
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must NOT have duplicate items" },
    validate(wanted: boolean, items: unknown[]) {
      if (!wanted) return true;
      const texts = items.map((item) => {
        const text = canonicalJson(item);
        spend(text.length * COST_OF_CANONICAL);
        return text;
      });
      return new Set(texts).size === items.length;
    },
  });
  return ajv;
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
