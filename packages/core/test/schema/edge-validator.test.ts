import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonSchemaValidator } from "../../src/index.ts";
import { createValidator as createAjv } from "../../src/schema/ajv.ts";
import { createPattern, createValidator } from "../../src/schema/edge-validator.ts";

const check = (schema: JsonObject, value: unknown) => createValidator().getValidator(schema)(value);

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

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
    fc
      .tuple(tie("schema"), tie("schema"), tie("schema"))
      .map((parts) => Object.fromEntries(parts.map((part, at) => [CONDITION[at], part]))),
    fc.record({ $ref: fc.constant("#/$defs/a"), $defs: fc.record({ a: tie("schema") }) }),
  ) as fc.Arbitrary<JsonObject>,
})).schema;

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
      fc.property(schemas, values, (schema, value) => {
        const ours = verdictOf(edge, schema, value);
        const theirs = verdictOf(ajv, schema, value);
        expect(ours, JSON.stringify({ schema, value })).toBe(theirs);
      }),
      { numRuns: 500 },
    );
  });

  it("An error says where the value is wrong and what is wrong with it.", () => {
    const schema = { properties: { n: { type: "number" } } };
    expect(check(schema, { n: "1" }).errorMessage).toMatch(/^\/n .*number/);
  });

  it("A schema is read as draft-07 where its $schema says so.", () => {
    const schema = { $schema: DRAFT_07, items: [{ type: "number" }] };
    expect([check(schema, [1]).valid, check(schema, ["x"]).valid]).toEqual([true, false]);
  });

  it("The schema that was given is not changed.", () => {
    const schema = { properties: { a: { format: "email", items: { type: "number" } } } };
    const before = JSON.stringify(schema);
    check(schema, { a: [1] });
    expect(JSON.stringify(schema)).toBe(before);
    expect(Object.getOwnPropertyNames(schema.properties.a)).toEqual(["format", "items"]);
  });

  it.each([
    ["a loop", { $ref: "#" }, /loop/],
    ["a remote reference", { $ref: "https://example.com/s" }, /never fetched/],
    ["a dynamic reference", { $dynamicAnchor: "a", items: { $dynamicRef: "#a" } }, /\$dynamicRef/],
    ["a pattern that may block", { properties: { a: { pattern: "^(a+)+$" } } }, /pass `validator`/],
    ["an invalid pattern", { pattern: "(" }, /Invalid regular expression/],
    ["a name pattern that may block", { patternProperties: { "(a|a)*$": {} } }, /too many ways/],
  ])("A schema with %s is refused.", (_, schema, reason) => {
    expect(() => createValidator().getValidator(schema)).toThrow(reason);
  });

  it("A long text is not counted again and again, but many short ones are.", () => {
    const again = { allOf: Array.from({ length: 1_000 }, () => ({ minLength: 0 })) };
    expect(() => check(again, "x".repeat(2_000_000))).toThrow(/takes too long/);
    const rows = { type: "object", additionalProperties: { minLength: 1 } };
    const value = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`${at}`, "row"]));
    expect(check(rows, { ...value, page: "x".repeat(100_000) }).valid).toBe(true);
    expect(check(rows, { ...value, page: "" }).valid).toBe(false);
  });

  it("Long texts and lists are refused only where the schema has patterns or uniqueItems.", () => {
    const text = "a".repeat(2_001);
    expect(check({ properties: { a: { pattern: "^b" } } }, { c: text }).valid).toBe(false);
    expect(check({ properties: { a: { minLength: 1 } } }, { c: text }).valid).toBe(true);
    const list = Array.from({ length: 1_001 }, (_, at) => at);
    expect(check({ uniqueItems: true }, list).valid).toBe(false);
    expect(check({ minItems: 1 }, list).valid).toBe(true);
  });

  it("Many texts that each take a pattern long are refused together.", () => {
    const schema = { items: { pattern: "a*b" } };
    const text = "a".repeat(1_999);
    expect(check(schema, Array(5).fill(text)).errorMessage).toMatch(/^\/0 /);
    expect(check(schema, Array(500).fill(text)).errorMessage).toMatch(/too much text/);
  });

  it("A check ends soon where the schema doubles with each level of the value.", () => {
    const twice = { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/x" }] };
    const schema = { $ref: "#/$defs/x", $defs: { x: { properties: { a: twice } } } };
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    expect(() => check(schema, value)).toThrow(/takes too long/);
  });
});

function verdictOf(validator: JsonSchemaValidator, schema: JsonObject, value: unknown) {
  try {
    return validator.getValidator(schema)(value).valid;
  } catch {
    return "refused";
  }
}

describe("createPattern on an edge runtime", () => {
  it("tells what a text costs, and refuses a pattern that may take longer than quadratic time.", () => {
    const pattern = createPattern("^[a-z]+\\d$");
    expect(pattern.test("abc1")).toBe(true);
    expect(pattern.cost(1_000)).toBeGreaterThan(1_000);
    expect(() => createPattern("^(a+)+$")).toThrow("may match in too many ways");
  });
});
