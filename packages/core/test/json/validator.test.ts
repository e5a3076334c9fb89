import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { createValidator } from "../../src/json/validator.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

const MANY = Array.from({ length: 5_000 }, (_, at) => `k${at}`);

function errorOf(schema: JsonObject, value: unknown): string | undefined {
  return createValidator().getValidator(schema)(value).errorMessage;
}

describe("the default validator", () => {
  it("A valid value comes back as it is, without an error.", () => {
    const check = createValidator().getValidator({ type: "object" });
    const value = { a: 1 };
    expect(check(value)).toEqual({ valid: true, data: value, errorMessage: undefined });
  });

  it("An error says where the value is wrong and what the schema asks for.", () => {
    const schema = { properties: { n: { type: "number" }, c: { enum: ["a", "b"] } } };
    expect(errorOf(schema, { n: "1" })).toBe("/n must be number");
    expect(errorOf(schema, { c: "x" })).toBe(
      '/c must be equal to one of the allowed values: ["a","b"]',
    );
    expect(errorOf({ additionalProperties: false }, { x: 1 })).toContain("(x)");
  });

  it("An error names all mistakes of a value, each in at most 300 characters.", () => {
    const [id, tags] = [{ type: "number" }, { items: { type: "string" } }];
    const kind = { enum: Array.from({ length: 500 }, (_, at) => `kind ${at}`) };
    const schema = { required: ["to", "id"], properties: { id, tags, kind } };
    const errors = errorOf(schema, { kind: "x", id: "7", tags: [1, "a", 2] })?.split("; ") ?? [];
    expect(errors).toEqual([
      "/ must have required property 'to'",
      "/id must be number",
      "/tags/0 must be string",
      "/tags/2 must be string",
      expect.stringMatching(/^\/kind must be equal to one of the allowed values: .{200,300}…$/),
    ]);
  });

  it("The search for mistakes ends when there are very many, and the first ones are told.", () => {
    const items = { anyOf: Array.from({ length: 100 }, (_, at) => ({ const: at })) };
    const errors = errorOf({ items }, Array(50_000).fill("x"))?.split("; ") ?? [];
    expect(errors).toHaveLength(10);
    expect(errors[0]).toBe("/0 must be equal to constant");
    expect(errors[8]).toMatch(/^and \d{5,6} more$/);
    expect(errors[9]).toBe("it takes too long to find all");
  });

  it("A large value may break many alternatives before it fits one.", () => {
    const anyOf = ["number", "string"].map((type) => ({ items: { type } }));
    expect(errorOf({ anyOf }, Array(50_000).fill("x"))).toBeUndefined();
    const kinds = { anyOf: Array.from({ length: 100 }, (_, at) => ({ const: at })) };
    expect(errorOf({ items: kinds }, Array(20_000).fill(99))).toBeUndefined();
  });

  it("A check neither changes nor coerces the value, and fills in no defaults.", () => {
    const value = { n: 1 };
    const schema = { properties: { n: { type: "number" }, m: { default: 2 } } };
    expect(errorOf(schema, value)).toBeUndefined();
    expect(value).toEqual({ n: 1 });
  });

  it("A message stays short if there are very many errors.", () => {
    const schema = { anyOf: Array.from({ length: 4_000 }, (_, at) => ({ const: at })) };
    expect(errorOf(schema, -1)?.length).toBeLessThan(1_000);
    expect(errorOf(schema, -1)).toMatch(/and 3993 more$/);
  });

  it("A schema without $schema is read as 2020-12.", () => {
    expect(errorOf({ prefixItems: [{ type: "number" }] }, ["x"])).toBe("/0 must be number");
    expect(errorOf({ unevaluatedProperties: false }, { x: 1 })).toBeDefined();
  });

  it("A schema is read as draft-07 if its $schema says so.", () => {
    const schema = { $schema: DRAFT_07, items: [{ type: "number" }], additionalItems: false };
    expect(errorOf(schema, ["x"])).toBe("/0 must be number");
    expect(errorOf(schema, [1, 2])).toBeDefined();
    expect(
      errorOf({ $schema: DRAFT_07, prefixItems: [{ type: "number" }] }, ["x"]),
    ).toBeUndefined();
    expect(errorOf({ $schema: DRAFT_07, unevaluatedProperties: false }, { x: 1 })).toContain("(x)");
  });

  it("A format is an annotation and refuses nothing.", () => {
    for (const format of ["email", "constructor", "made-up"]) {
      expect(errorOf({ type: "string", format }, "no email")).toBeUndefined();
    }
  });

  it("A required property must be an own property of the value.", () => {
    expect(errorOf({ required: ["toString"] }, {})).toBeDefined();
  });

  it("Each of several patterns is enforced.", () => {
    const schema = { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } };
    expect(errorOf(schema, { a: "a", b: "b" })).toBeUndefined();
    expect(errorOf(schema, { a: "b" })).toContain('"^a$"');
    expect(errorOf(schema, { b: "a" })).toContain('"^b$"');
  });

  it("Properties may depend on others.", () => {
    const schema = { dependentRequired: { a: ["b"] } };
    expect(errorOf(schema, { a: 1 })).toBe("/ must have property b when property a is present");
    expect(errorOf(schema, { a: 1, b: 2 })).toBeUndefined();
  });

  it("Two schemas with the same $id are each checked on their own.", () => {
    const validator = createValidator();
    const $id = "https://example.com/same";
    const text = validator.getValidator({ $id, type: "string" });
    const number = validator.getValidator({ $id, type: "number" });
    expect([text("x").valid, text(1).valid]).toEqual([true, false]);
    expect([number("x").valid, number(1).valid]).toEqual([false, true]);
  });

  it("The length of a text is counted in characters, and a message says the bound.", () => {
    expect(errorOf({ maxLength: 1, minLength: 1 }, "🙂")).toBeUndefined();
    expect(errorOf({ maxLength: 1 }, "🙂a")).toBe("/ must NOT have more than 1 characters");
    expect(errorOf({ minLength: 2 }, "🙂")).toBe("/ must NOT have fewer than 2 characters");
  });

  it("A number is a multiple of another as their decimal digits say.", () => {
    const cents = { multipleOf: 0.01 };
    for (const cent of [0, -7, 29, 1_999, 8_199_999, 123_456_789]) {
      expect(errorOf(cents, cent / 100)).toBeUndefined();
    }
    expect(errorOf({ multipleOf: 1 }, 1e21)).toBeUndefined();
    expect(errorOf({ multipleOf: 1 }, 1.000_01)).toBe("/ must be multiple of 1");
    expect(errorOf(cents, 19.995)).toBe("/ must be multiple of 0.01");
  });

  it.each([
    [3, 10_000_000],
    [0.4, 1_000_000],
    [400, 1e9],
    [100.000_01, 100],
    [10.000_000_001, 0.01],
    [1e-7, 1],
    [0.35, 0.1],
  ])("The number %d is not a multiple of %d.", (value, multipleOf) => {
    expect(errorOf({ multipleOf }, value)).toBe(`/ must be multiple of ${multipleOf}`);
  });

  it.each([
    [19.99, 0.01],
    [0.3, 0.1],
    [-4.5, 1.5],
    [0, 7],
    [1e300, 1e-300],
    [1e21, 1],
    [1.5e-7, 5e-8],
  ])("The number %d is a multiple of %d.", (value, multipleOf) => {
    expect(errorOf({ multipleOf }, value)).toBeUndefined();
  });

  it("A required property may have an empty name.", () => {
    expect(errorOf({ required: [""] }, {})).toContain("must have required property ''");
    expect(errorOf({ required: ["a", ""] }, { a: 1 })).toContain("must have required property ''");
    expect(errorOf({ required: [""] }, { "": 1 })).toBeUndefined();
  });

  it("A pattern means what it means in ECMA-262.", () => {
    const text = { pattern: "^\\S+$" };
    for (const space of ["\u00a0", "\ufeff", "\u2028", "\u3000", "\v"]) {
      expect(errorOf(text, `a${space}`)).toContain("must match pattern");
    }
    const byName = { patternProperties: { "^.$": { type: "null" } } };
    expect(errorOf(byName, { x: 1, "\u2028": 1 })).toBe("/x must be null");
    for (const pattern of ["(?i)a", "a\\z", "\\pL", "[[:alpha:]]"]) {
      expect(() => createValidator().getValidator({ pattern })).toThrow(
        /Invalid regular expression/,
      );
    }
  });

  it("A schema cannot make a check wait: its verdict comes at once, and nothing is rejected later.", () => {
    const schema = { $async: true, type: "number", $defs: { a: { $async: true } } };
    const check = createValidator().getValidator(schema);
    expect([check("x").valid, check(1).valid]).toEqual([false, true]);
  });

  it("`nullable` allows null for a type, as OpenAPI says.", () => {
    const check = createValidator().getValidator({ items: { type: "number", nullable: true } });
    expect([check([null, 1]).valid, check(["x"]).valid]).toEqual([true, false]);
    expect(errorOf({ nullable: true, maxLength: 1 }, "ab")).toContain("more than 1 characters");
  });

  it("Unique items are told apart by their JSON, whatever the order of their keys.", () => {
    const schema = { uniqueItems: true };
    expect(
      errorOf(schema, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe("/ must NOT have duplicate items");
    expect(errorOf(schema, [1, "1", [1], { 1: 1 }, null, false, 0])).toBeUndefined();
    expect(errorOf({ uniqueItems: false }, [1, 1])).toBeUndefined();
  });

  it.each([
    ["a keyword of a wrong type", { properties: [] }],
    ["an unknown type", { properties: { a: { type: "text" } } }],
    ["an invalid pattern", { pattern: "(" }],
    ["a pattern that has no linear form", { pattern: "(a)\\1" }],
    ["a pattern of 10^6 parts", { pattern: "((a{100}){100}){100}" }],
    ["text for RE2 in a pattern", { pattern: "\\Q[\\E.{1000}]" }],
    ["a loop of references", { $ref: "#" }],
    ["a reference to elsewhere", { $ref: "https://example.com/s" }],
    ["a maximum that is a text", { properties: { a: { maximum: "10" } } }],
    ["a property that Ajv would ignore", { properties: JSON.parse('{"__proto__":{}}') }],
    ["thousands of names", { dependentRequired: { a: MANY } }],
    ["thousands of names in draft-07", { dependencies: { a: MANY }, $schema: DRAFT_07 }],
  ])("A schema with %s is refused.", (_, schema) => {
    expect(() => createValidator().getValidator(schema)).toThrow();
  });

  it("Patterns that are too large together are refused, and one that stands often counts once.", () => {
    const properties = (patterns: readonly string[]) => ({
      properties: Object.fromEntries(patterns.map((pattern, at) => [`p${at}`, { pattern }])),
    });
    const same = Array(60).fill("^[a-z]{900}$");
    expect(() => createValidator().getValidator(properties(same))).not.toThrow();
    const large = Array.from({ length: 60 }, (_, at) => `^[a-z]{900}${"x".repeat(at)}`);
    expect(() => createValidator().getValidator(properties(large))).toThrow(/large in total/);
  });
});
