import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createPattern, createValidator } from "../../src/schema/validator.edge.ts";
import { createValidator as createAjv } from "../../src/schema/validator.node.ts";

const check = (schema: JsonObject, value: unknown) => createValidator().getValidator(schema)(value);

const MANY = Array.from({ length: 5_000 }, (_, at) => `k${at}`);
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

describe("the validator for edge runtimes", () => {
  it("An error says where the value is wrong and what is wrong with it.", () => {
    const schema = { properties: { n: { type: "number" } } };
    expect(check(schema, { n: "1" }).errorMessage).toMatch(/^\/n .*number/);
  });

  it("A schema is read as draft-07 if its $schema says so.", () => {
    const schema = { $schema: DRAFT_07, items: [{ type: "number" }] };
    expect([check(schema, [1]).valid, check(schema, ["x"]).valid]).toEqual([true, false]);
  });

  it("A key that is too long for patterns is refused, as a text is.", () => {
    const schema = { patternProperties: { "^a+$": { type: "number" } } };
    expect(check(schema, { a: 1 }).valid).toBe(true);
    expect(check(schema, { ["a".repeat(2_001)]: 1 }).errorMessage).toContain(
      "too long for patterns",
    );
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

  it("Long texts are refused only if the schema has patterns.", () => {
    const text = "a".repeat(2_001);
    expect(check({ properties: { a: { pattern: "^b" } } }, { c: text }).valid).toBe(false);
    expect(check({ properties: { a: { minLength: 1 } } }, { c: text }).valid).toBe(true);
  });

  it.each<[keyword: string, schema: JsonObject, reason?: RegExp]>([
    ["a maximum that is a text", { properties: { a: { maximum: "10" } } }],
    ["an unknown type", { type: "text" }],
    ["required properties that are a text", { required: "a" }],
    ["a pattern that is a number", { pattern: 5 }],
    ["properties that are a list", { properties: [{ type: "string" }] }],
    ["a property that is a number", { properties: { a: 5 } }],
    ["a list of items in 2020-12", { items: [{ type: "string" }] }],
    ["a negative length", { minLength: -1 }],
    ["a multiple of nothing", { multipleOf: 0 }],
    ["a reference that is a number", { $ref: 5 }],
    ["thousands of names", { dependentRequired: { a: MANY } }, /more than 500 names/],
    ["thousands of names in draft-07", { dependencies: { a: MANY } }, /more than 500 names/],
  ])("A schema with %s is refused, as on Node.", (_, schema, reason = /not valid JSON Schema/) => {
    for (const validator of [createValidator(), createAjv()]) {
      expect(() => validator.getValidator(schema)).toThrow(reason);
    }
  });

  it("Many texts that each take a pattern long are refused together.", () => {
    const schema = { items: { pattern: "a*b" } };
    const text = "a".repeat(1_999);
    expect(check(schema, Array(5).fill(text)).errorMessage).toMatch(/^\/0 /);
    expect(() => check({ items: { pattern: "a*" } }, Array(500).fill(text))).toThrow(/too long/);
  });

  it("A check ends soon if the schema doubles with each level of the value.", () => {
    const twice = { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/x" }] };
    const schema = { $ref: "#/$defs/x", $defs: { x: { properties: { a: twice } } } };
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    expect(() => check(schema, value)).toThrow(/takes too long/);
  });
});

describe("createPattern on an edge runtime", () => {
  it("tells what a text costs, and refuses a pattern that may take longer than quadratic time.", () => {
    const pattern = createPattern("^[a-z]+\\d$");
    expect(pattern.test("abc1")).toBe(true);
    expect(pattern.cost(1_000)).toBeGreaterThan(1_000);
    expect(() => createPattern("^(a+)+$")).toThrow("may match in too many ways");
  });
});
