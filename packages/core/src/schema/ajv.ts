import { Ajv, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { RE2JS } from "re2js";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { dialectOf, type JsonSchemaValidator, schemaDefect } from "./json-schema.ts";

/** Runs in time linear in the text, whatever the pattern; ajv keys patterns by `toString`. */
function linearRegExp(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
linearRegExp.code = "linearRegExp";

const OPTIONS: Options = {
  strict: false,
  logger: false,
  meta: false,
  validateSchema: false,
  inlineRefs: false,
  ownProperties: true,
  validateFormats: false,
  code: { regExp: linearRegExp },
};

/**
 * The default validator: Ajv with the dialect that `$schema` names, patterns in linear time, own
 * properties only, and a fresh instance for each schema, since two servers may use one `$id`.
 * `format` is an annotation, as 2020-12 has it.
 */
export function createAjvValidator(): JsonSchemaValidator {
  const dialects = {
    "2020-12": { create: () => new Ajv2020(OPTIONS), grammar: lazy(() => new Ajv2020(GRAMMAR)) },
    "draft-07": { create: () => new Ajv(OPTIONS), grammar: lazy(() => new Ajv(GRAMMAR)) },
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
      return compile(dialect.create(), body);
    },
  };
}

const GRAMMAR: Options = { strict: false, logger: false, validateFormats: false };

function compile(
  ajv: Ajv | Ajv2020,
  schema: JsonObject,
): ReturnType<JsonSchemaValidator["getValidator"]> {
  const validate = ajv.compile(schema);
  return (input) => {
    if (validate(input)) return { valid: true, data: input, errorMessage: undefined };
    const errorMessage = (validate.errors ?? [])
      .map((error) => `${error.instancePath || "/"} ${error.message}${hint(error.params)}`)
      .join("; ");
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
