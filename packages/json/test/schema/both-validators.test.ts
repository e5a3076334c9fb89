import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import type { JsonSchemaValidator } from "../../src/schema/index.ts";
import { createValidator } from "../../src/schema/validator.edge.ts";
import { createValidator as createAjv } from "../../src/schema/validator.node.ts";

const CONDITION = ["if", "then", "else"];

/** Schemas that both validators read, and values that may or may not fit them. */
const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonObject>(
      {},
      { type: "number" },
      { type: "integer", minimum: 2 },
      { type: ["string", "null"] },
      { type: "string", minLength: 2, pattern: "^a" },
      { enum: [1, "a", { a: 1 }, null] },
      { const: [1] },
      { required: ["toString"] },
      { format: "email" },
      { uniqueItems: true },
      { maxProperties: 1 },
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.constant(2) }),
    fc.record({ prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record(
      {
        properties: fc.record({ a: tie("schema"), b: tie("schema") }),
        required: fc.subarray(["a", "b"]),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      },
      { requiredKeys: ["properties"] },
    ),
    fc.record({ patternProperties: fc.record({ "^a": tie("schema") }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("schema") }),
    fc.record({ propertyNames: tie("schema"), dependentRequired: fc.constant({ a: ["b"] }) }),
    fc.record({ dependentSchemas: fc.record({ a: tie("schema") }) }),
    fc.record({ dependencies: fc.record({ a: tie("schema") }) }),
    fc.record({ type: fc.constantFrom("string", ["number", "null"]), nullable: fc.boolean() }),
    fc.record({ additionalItems: tie("schema"), minItems: fc.constantFrom(0, 1) }),
    fc
      .tuple(tie("schema"), tie("schema"), tie("schema"))
      .map((parts) => Object.fromEntries(parts.map((part, at) => [CONDITION[at], part]))),
    fc.record({ $ref: fc.constant("#/$defs/a"), $defs: fc.record({ a: tie("schema") }) }),
    fc.record({
      properties: fc.record({ b: fc.constant({ $ref: "#" }) }),
      allOf: fc.tuple(tie("schema")),
    }),
    // These keywords mean nothing to either dialect, and something to one of the libraries.
    fc.constant({ $async: true, id: "https://example.com/other", $recursiveRef: "#" }),
  ) as fc.Arbitrary<JsonObject>,
})).schema;

/** In draft-07, the keywords that were added later mean nothing. */
const dialects = fc.constantFrom({}, { $schema: "http://json-schema.org/draft-07/schema#" });

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(0, 1, 2.5, 3, "", "a", "abc", "b", null, true),
    fc.array(tie("value"), { maxLength: 3 }),
    // As JSON.parse makes them: Ajv tells objects without a prototype from others.
    fc.dictionary(fc.constantFrom("a", "b", "ab", "c"), tie("value"), { noNullPrototype: true }),
  ),
})).value;

describe("the validator for edge runtimes", () => {
  it("It agrees with the default validator.", () => {
    const [edge, ajv] = [createValidator(), createAjv()];
    fc.assert(
      fc.property(schemas, dialects, values, (described, dialect, value) => {
        const schema = { ...described, ...dialect };
        const ours = verdictOf(edge, schema, value);
        const theirs = verdictOf(ajv, schema, value);
        expect(ours, JSON.stringify({ schema, value })).toBe(theirs);
      }),
      { numRuns: 1_000 },
    );
  });
});

function verdictOf(validator: JsonSchemaValidator, schema: JsonObject, value: unknown) {
  try {
    return validator.getValidator(schema)(value).valid;
  } catch {
    return "refused";
  }
}
