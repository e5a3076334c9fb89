import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ToolrailError } from "../errors.ts";
import { canonicalJson, type JsonObject } from "../json.ts";
import { COST_KEYWORD, type CostMeter, createCostMeter, withCosts } from "./check-cost.ts";
import { dialectOf, type JsonSchemaValidator, schemaDefect } from "./json-schema.ts";
import { createLinearRegExp } from "./linear-regexp.ts";
import type { TextPattern } from "./plain-pattern.ts";

const OPTIONS: Options = {
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  inlineRefs: false,
  ownProperties: true,
  validateFormats: false,
};

/** A pattern of a schema as this runtime's validator tests it. */
export const createPattern: (pattern: string) => TextPattern = createLinearRegExp;

/**
 * The default validator: Ajv with the dialect that `$schema` names, patterns in linear time, own
 * properties only, and a fresh instance for each schema, since two servers may use one `$id`.
 * `format` is an annotation, as 2020-12 has it.
 */
export function createValidator(): JsonSchemaValidator {
  const dialects = {
    "2020-12": { Compiler: Ajv2020, grammar: lazy(() => new Ajv2020(GRAMMAR)) },
    "draft-07": { Compiler: Ajv, grammar: lazy(() => new Ajv(GRAMMAR)) },
  };
  return {
    getValidator(schema) {
      const defect = schemaDefect(schema);
      if (defect)
        throw new ToolrailError("invalid-schema", `The schema cannot be used: ${defect}.`);
      const dialect = dialects[dialectOf(schema) ?? "2020-12"];
      const { $schema: _, ...body } = schema;
      const grammar = dialect.grammar();
      if (!grammar.validateSchema(body)) {
        throw new ToolrailError(
          "invalid-schema",
          `The schema is not valid JSON Schema: ${grammar.errorsText(grammar.errors, { dataVar: "schema" })}.`,
        );
      }
      const meter = createCostMeter();
      const ajv = new dialect.Compiler({ ...OPTIONS, code: { regExp: meteredRegExp(meter) } });
      return compile(bounded(ajv, meter), body, meter);
    },
  };
}

/** Most errors in one message: a model may have to read it. */
const MAX_ERRORS = 8;

const GRAMMAR: Options = { strict: false, logger: false, validateFormats: false };

/** Patterns in linear time, which a long text makes dear all the same. */
function meteredRegExp(meter: CostMeter) {
  const create = (pattern: string) => {
    const compiled = createLinearRegExp(pattern);
    const costPerCharacter = 8 + pattern.length / 4;
    return {
      toString: () => pattern,
      test(text: string) {
        meter.spend(text.length * costPerCharacter);
        return compiled.test(text);
      },
    };
  };
  return Object.assign(create, { code: "meteredRegExp" });
}

/** Counts what a check costs, and makes `uniqueItems` linear: Ajv compares each item with each other. */
function bounded(ajv: Ajv | Ajv2020, meter: CostMeter): Ajv | Ajv2020 {
  ajv.addKeyword({
    keyword: COST_KEYWORD,
    errors: false,
    validate(cost: number) {
      meter.spend(cost);
      return true;
    },
  });
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must NOT have duplicate items" },
    validate: (wanted: boolean, items: unknown[]) =>
      !wanted || new Set(items.map((item) => canonicalJson(item))).size === items.length,
  });
  return ajv;
}

function compile(
  ajv: Ajv | Ajv2020,
  schema: JsonObject,
  meter: CostMeter,
): ReturnType<JsonSchemaValidator["getValidator"]> {
  const validate = ajv.compile(withCosts(schema));
  return (input) => {
    meter.restart();
    if (validate(input)) return { valid: true, data: input, errorMessage: undefined };
    const errors = validate.errors ?? [];
    const shown = errors
      .slice(0, MAX_ERRORS)
      .map((error) => `${error.instancePath || "/"} ${error.message}${hint(error.params)}`);
    if (errors.length > shown.length) shown.push(`and ${errors.length - shown.length} more`);
    const errorMessage = shown.join("; ");
    return { valid: false, data: undefined, errorMessage };
  };
}

function hint(params: JsonObject): string {
  if (typeof params.additionalProperty === "string") return ` (${params.additionalProperty})`;
  if (Array.isArray(params.allowedValues)) return `: ${JSON.stringify(params.allowedValues)}`;
  return "";
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
