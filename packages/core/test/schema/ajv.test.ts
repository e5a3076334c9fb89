import { describe, expect, it } from "vitest";
import { createValidator, type JsonObject } from "../../src/index.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

function errorOf(schema: JsonObject, value: unknown): string | undefined {
  return createValidator().getValidator(schema)(value).errorMessage;
}

describe("createValidator", () => {
  it("gives the value back, and no error", () => {
    const check = createValidator().getValidator({ type: "object" });
    const value = { a: 1 };
    expect(check(value)).toEqual({ valid: true, data: value, errorMessage: undefined });
  });

  it("says where and what is wrong, in the words of the schema", () => {
    const schema = { properties: { n: { type: "number" }, c: { enum: ["a", "b"] } } };
    expect(errorOf(schema, { n: "1" })).toBe("/n must be number");
    expect(errorOf(schema, { c: "x" })).toBe(
      '/c must be equal to one of the allowed values: ["a","b"]',
    );
    expect(errorOf({ additionalProperties: false }, { x: 1 })).toContain("(x)");
  });

  it("does not change, coerce or fill in the value", () => {
    const value = { n: 1 };
    const schema = { properties: { n: { type: "number" }, m: { default: 2 } } };
    expect(errorOf(schema, value)).toBeUndefined();
    expect(value).toEqual({ n: 1 });
  });

  it("keeps a message short where there are very many errors", () => {
    const schema = { anyOf: Array.from({ length: 4_000 }, (_, at) => ({ const: at })) };
    expect(errorOf(schema, -1)?.length).toBeLessThan(1_000);
    expect(errorOf(schema, -1)).toMatch(/and 3993 more$/);
  });

  it("reads 2020-12 by default", () => {
    expect(errorOf({ prefixItems: [{ type: "number" }] }, ["x"])).toBe("/0 must be number");
    expect(errorOf({ unevaluatedProperties: false }, { x: 1 })).toBeDefined();
  });

  it("reads draft-07 where the schema says so", () => {
    const schema = { $schema: DRAFT_07, items: [{ type: "number" }], additionalItems: false };
    expect(errorOf(schema, ["x"])).toBe("/0 must be number");
    expect(errorOf(schema, [1, 2])).toBeDefined();
    expect(
      errorOf({ $schema: DRAFT_07, prefixItems: [{ type: "number" }] }, ["x"]),
    ).toBeUndefined();
  });

  it("takes format for an annotation", () => {
    expect(errorOf({ format: "email" }, "no email")).toBeUndefined();
  });

  it("asks for own properties alone", () => {
    expect(errorOf({ required: ["toString"] }, {})).toBeDefined();
  });

  it("enforces each of several patterns", () => {
    const schema = { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } };
    expect(errorOf(schema, { a: "a", b: "b" })).toBeUndefined();
    expect(errorOf(schema, { a: "b" })).toContain('"^a$"');
    expect(errorOf(schema, { b: "a" })).toContain('"^b$"');
  });

  it("checks by its own schema each of two with one id", () => {
    const validator = createValidator();
    const $id = "https://example.com/same";
    const text = validator.getValidator({ $id, type: "string" });
    const number = validator.getValidator({ $id, type: "number" });
    expect([text("x").valid, text(1).valid]).toEqual([true, false]);
    expect([number("x").valid, number(1).valid]).toEqual([false, true]);
  });

  it("tells items apart by their JSON", () => {
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
    ["a pattern that is none", { pattern: "(" }],
    ["a pattern that has no linear form", { pattern: "(a)\\1" }],
    ["a defect", { $ref: "#" }],
  ])("throws for %s", (_, schema) => {
    expect(() => createValidator().getValidator(schema)).toThrow();
  });
});
