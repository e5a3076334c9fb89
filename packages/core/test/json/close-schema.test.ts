import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { closeSchema } from "../../src/json/input-schema.ts";
import { createValidator } from "../../src/json/validator.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** What the validator says of the arguments under the strict form of a schema; undefined where they pass. */
type Judge = (schema: JsonObject, args: unknown) => string | undefined;

const dialects = [
  ["2020-12", {}],
  ["draft-07", { $schema: DRAFT_07 }],
] as const;

it("A schema whose parts multiply until they cannot be closed in time is refused.", () => {
  const twice = (at: number) => ({ allOf: [{ $ref: `#/$defs/${at}` }, { $ref: `#/$defs/${at}` }] });
  const parts = Array.from({ length: 20 }, (_, at) => [`${at}`, twice(at + 1)]);
  const $defs = { ...Object.fromEntries(parts), 20: { properties: { a: {} } } };
  expect(() => closeSchema({ ...twice(0), $defs })).toThrow(/too complex/);
});

describe("strict arguments", () => {
  const validator = createValidator();
  const judge: Judge = (schema, args) =>
    validator.getValidator(closeSchema(schema))(args).errorMessage;

  describe.each(dialects)("in %s", (_, dialect) => {
    const shelf = "$schema" in dialect ? "definitions" : "$defs";
    const tag = { type: "object", properties: { name: { type: "string" } } };
    const schema = {
      ...dialect,
      type: "object",
      properties: {
        id: { type: "string" },
        to: { anyOf: [{ type: "string", pattern: "@" }, { type: "number" }] },
        filter: {
          type: "object",
          properties: { tags: { type: "array", items: { $ref: `#/${shelf}/tag` } } },
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        hints: { type: "object", patternProperties: { "^x-": { type: "string" } } },
        payload: { type: "object" },
        any: true,
        "x-mail": { type: "string" },
      },
      patternProperties: { "^x-mail$": { pattern: "@" } },
      required: ["id"],
      [shelf]: { tag },
    };

    it("accepts arguments that the schema describes", () => {
      const args = {
        id: "a",
        to: "a@example.com",
        filter: { tags: [{ name: "x" }] },
        labels: { any: "thing" },
        hints: { "x-a": "b" },
        payload: { deep: { er: [{ still: 1 }] } },
        any: { a: { b: 1 } },
        "x-mail": "a@example.com",
      };
      expect(judge(schema, args)).toBeUndefined();
      expect(judge(schema, { id: "a", to: 1 })).toBeUndefined();
    });

    it.each([
      ["a missing argument", {}],
      ["a wrong type", { id: 1 }],
      ["a wrong value by the pattern of its name", { id: "a", "x-mail": "nobody" }],
      ["a value that no alternative takes", { id: "a", to: "nobody" }],
      ["an argument that is not described", { id: "a", drop: true }],
      ["a nested key that is not described", { id: "a", filter: { sql: "" } }],
      [
        "a key that is not described behind a reference",
        { id: "a", filter: { tags: [{ nom: "" }] } },
      ],
      ["a key that fits no pattern", { id: "a", hints: { y: "b" } }],
      ["a nested wrong type", { id: "a", filter: { tags: [{ name: 1 }] } }],
    ])("refuses %s", (_, args) => {
      expect(judge(schema, args)).toEqual(expect.any(String));
    });

    it("refuses every argument of a tool that names none", () => {
      expect(judge({ ...dialect, type: "object" }, {})).toBeUndefined();
      expect(judge({ ...dialect, type: "object" }, { all: true })).toEqual(expect.any(String));
    });

    it("leaves open what the schema leaves open in so many words", () => {
      const properties = { a: { type: "string" } };
      for (const additionalProperties of [true, { type: "number" }]) {
        const open = { ...dialect, type: "object", properties, additionalProperties };
        expect(judge(open, { a: "", b: 1 })).toBeUndefined();
        const nested = { ...dialect, type: "object", properties: { inner: open } };
        expect(judge(nested, { inner: { a: "", b: 1 } })).toBeUndefined();
      }
    });

    it("knows the properties of all parts and of the alternatives that apply", () => {
      const part = (name: string) => ({ properties: { [name]: { type: "string" } } });
      const schema = {
        ...dialect,
        type: "object",
        ...part("a"),
        allOf: [part("b"), { $ref: `#/${shelf}/base` }],
        anyOf: [
          { ...part("d"), required: ["d"] },
          { ...part("e"), required: ["e"] },
        ],
        ...JSON.parse('{"if":{"properties":{"a":{"const":"f"}},"required":["a"]}}'),
        ...JSON.parse('{"then":{"properties":{"f":{"type":"string"}}}}'),
        else: part("g"),
        [shelf]: { base: part("c") },
      };
      expect(judge(schema, { a: "f", b: "", c: "", d: "", e: "", f: "" })).toBeUndefined();
      expect(judge(schema, { a: "", b: "", c: "", e: "", g: "" })).toBeUndefined();
      expect(judge(schema, { a: "", d: "", e: 1 })).toEqual(expect.any(String));
      expect(judge(schema, { a: "f", d: "", g: "" })).toEqual(expect.any(String));
      expect(judge(schema, { d: "", h: "" })).toEqual(expect.any(String));
    });

    it("closes the values in each alternative", () => {
      const kind = (name: string, key: string) => ({
        properties: {
          kind: { const: name },
          data: { type: "object", properties: { [key]: { type: "string" } } },
        },
        required: ["kind"],
      });
      const schema = { ...dialect, type: "object", oneOf: [kind("a", "x"), kind("b", "y")] };
      expect(judge(schema, { kind: "a", data: { x: "" } })).toBeUndefined();
      expect(judge(schema, { kind: "b", data: { y: "" } })).toBeUndefined();
      expect(judge(schema, { kind: "b", data: { y: "", sql: "" } })).toEqual(expect.any(String));
    });

    it("leaves a value that several parts describe to these parts", () => {
      const data = (key: string) => ({
        properties: { data: { type: "object", properties: { [key]: { type: "string" } } } },
      });
      const schema = { ...dialect, type: "object", ...data("x"), allOf: [data("y")] };
      expect(judge(schema, { data: { x: "", y: "" } })).toBeUndefined();
      expect(judge(schema, { data: { x: "" }, more: 1 })).toEqual(expect.any(String));
    });

    it("closes a schema that refers to itself at every level", () => {
      const node = { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } };
      const schema = { ...dialect, type: "object", properties: node };
      expect(judge(schema, { name: "", children: [{ children: [{ name: "" }] }] })).toBeUndefined();
      expect(judge(schema, { children: [{ children: [{ sql: "" }] }] })).toEqual(
        expect.any(String),
      );
    });

    it("follows a reference into its own properties", () => {
      const address = { type: "object", properties: { city: { type: "string" } } };
      const to = { $ref: "#/properties/from" };
      const schema = { ...dialect, type: "object", properties: { from: address, to } };
      expect(judge(schema, { from: { city: "" }, to: { city: "" } })).toBeUndefined();
      for (const key of ["from", "to"]) {
        expect(judge(schema, { [key]: { city: "", sql: "" } })).toEqual(expect.any(String));
      }
    });

    it("does not close a schema that others build upon", () => {
      const base = { type: "object", properties: { a: { type: "string" } } };
      const item = { allOf: [{ $ref: `#/${shelf}/base` }], properties: { b: { type: "string" } } };
      const schema = { ...dialect, type: "object", properties: { item }, [shelf]: { base } };
      expect(judge(schema, { item: { a: "", b: "" } })).toBeUndefined();
      expect(judge(schema, { item: { a: "", sql: "" } })).toEqual(expect.any(String));
    });

    it("refuses the names that every object inherits, unless the schema names them", () => {
      const a = { properties: { a: {} } };
      const conditional = JSON.parse('{"if":true,"then":{"properties":{"a":{}}}}');
      const forms = [
        a,
        { anyOf: [a, { properties: { b: {} } }] },
        { allOf: [a] },
        { $ref: `#/${shelf}/a`, [shelf]: { a } },
        { patternProperties: { "^a$": {} } },
        { ...a, dependencies: { a } },
        conditional,
      ];
      for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty"]) {
        for (const form of forms) {
          const schema = { ...dialect, type: "object", ...form };
          expect(judge(schema, { a: 1 })).toBeUndefined();
          expect(judge(schema, { a: 1, [name]: 1 })).toEqual(expect.any(String));
        }
        const named = { ...dialect, type: "object", properties: { [name]: {} }, allOf: [a] };
        expect(judge(named, { a: 1, [name]: 1 })).toBeUndefined();
      }
    });

    it("lets no name pass that the schema does not hold", () => {
      const schema = {
        ...dialect,
        type: "object",
        properties: { id: { type: "string" }, deep: { type: "object", properties: { x: {} } } },
      };
      const check = validator.getValidator(closeSchema(schema));
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
          const isKnown = Object.keys(args).every((key) => key === "id" || key === "deep");
          expect(check(args).valid && !isKnown).toBe(false);
          expect(check({ deep: args }).valid).toBe(Object.keys(args).every((key) => key === "x"));
        }),
      );
    });
  });

  it("knows dependent schemas, tuples and references", () => {
    const schema = {
      type: "object",
      properties: {
        paid: { type: "boolean" },
        pair: { prefixItems: [{ type: "string" }, { properties: { x: { type: "string" } } }] },
        tag: { $ref: "#/$defs/tag" },
      },
      dependentSchemas: { paid: { properties: { card: { type: "string" } } } },
      $defs: { tag: { properties: { name: { type: "string" } } } },
    };
    expect(judge(schema, { paid: true, card: "1", pair: ["", { x: "" }], tag: { name: "" } })).toBe(
      undefined,
    );
    expect(judge(schema, { card: "1" })).toEqual(expect.any(String));
    expect(judge(schema, { pair: ["", { y: "" }] })).toEqual(expect.any(String));
    expect(judge(schema, { tag: { nom: "" } })).toEqual(expect.any(String));
  });
});

describe("closeSchema", () => {
  it("leaves the given schema as it is", () => {
    const schema = { type: "object", properties: { a: { properties: { b: {} } } } };
    const before = structuredClone(schema);
    closeSchema(schema);
    expect(schema).toEqual(before);
  });
});
