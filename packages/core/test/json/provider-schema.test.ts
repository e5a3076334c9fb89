import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { providerSchema } from "../../src/json/input-schema.ts";
import { schemaDefect } from "../../src/json/schema.ts";

const REFUSED = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"];
const CONDITIONS = ["not", "if", "then", "else"];
const validatorOf = (schema: JsonObject) => new Validator(structuredClone(schema), "2020-12");
const text = { type: "string" };
const object = (more: JsonObject) => ({ type: "object", ...more });

describe("providerSchema", () => {
  it("An object without properties gets them, and a list without items does, at any depth.", () => {
    const list = { type: "array" };
    expect(providerSchema(object({}))).toEqual(object({ properties: {} }));
    expect(providerSchema(object({ properties: { list, deep: object({}) } }))).toEqual(
      object({
        properties: { list: { ...list, items: {} }, deep: object({ properties: {} }) },
      }),
    );
  });

  it("A schema that providers take stays as it is, nested unions included.", () => {
    const schema = object({
      properties: { to: { anyOf: [text, { type: "number" }] }, by: { $ref: "#/$defs/by" } },
      required: ["to", "by"],
      additionalProperties: false,
      $defs: { by: { enum: ["a", "b"] } },
    });
    expect(providerSchema(schema)).toEqual(schema);
  });

  it("Alternatives become one set of arguments, and the description says that some are refused.", () => {
    const schema = object({
      description: "Finds an account.",
      properties: { id: text, name: text, city: text },
      required: ["city"],
      anyOf: [{ required: ["id"] }, { required: ["name"] }],
    });
    expect(providerSchema(schema)).toEqual({
      ...object({ properties: { id: text, name: text, city: text }, required: ["city"] }),
      description: "Finds an account. Some combinations of arguments may be refused.",
    });
  });

  it("A discriminator may have any of its values, and what all alternatives require stays required.", () => {
    const branch = (kind: string, name: string) =>
      object({
        properties: { kind: { ...text, const: kind }, [name]: text },
        required: ["kind", name],
      });
    expect(
      providerSchema(object({ oneOf: [branch("card", "number"), branch("cash", "till")] })),
    ).toEqual(
      object({
        description: "Some combinations of arguments may be refused.",
        properties: {
          kind: {
            anyOf: [
              { ...text, const: "card" },
              { ...text, const: "cash" },
            ],
          },
          number: text,
          till: text,
        },
        required: ["kind"],
      }),
    );
  });

  it("What must hold together is merged, by reference too.", () => {
    const $defs = { page: object({ properties: { page: text }, required: ["page"] }) };
    const allOf = [{ properties: { q: text }, required: ["q"] }, { $ref: "#/$defs/page" }];
    expect(providerSchema(object({ $defs, allOf }))).toEqual(
      object({
        ...{ $defs, properties: { page: text, q: text }, required: ["q", "page"] },
        description: "Some combinations of arguments may be refused.",
      }),
    );
  });

  it("What a top-level not, enum or condition refuses is told in general.", () => {
    for (const rule of [{ not: { required: ["a", "b"] } }, { enum: [{}] }, { if: {}, else: {} }]) {
      const { description, ...schema } = providerSchema(
        object({ properties: { a: text }, ...rule }),
      );
      expect(description).toBe("Some combinations of arguments may be refused.");
      expect(schema).toEqual(object({ properties: { a: text } }));
    }
  });

  it("An argument that only a condition names is one of the arguments.", () => {
    const anyOf = [{ if: { properties: { a: { type: "number" } } } }, { properties: { a: text } }];
    const properties = { a: { anyOf: [{ type: "number" }, text] } };
    expect(providerSchema(object({ anyOf }))).toMatchObject({ properties });
  });

  it("What the schema itself says of an argument goes before what its parts say.", () => {
    const a = { ...text, description: "The name." };
    const anyOf = [{ properties: { a: { minLength: 1 } } }, { properties: { a: { const: "x" } } }];
    expect(providerSchema(object({ properties: { a }, anyOf })).properties).toEqual({ a });
  });

  it("References into what was merged leave the names of the arguments alone.", () => {
    const anyOf = [
      { properties: { a: text } },
      { properties: { b: { $ref: "#/anyOf/0/properties/a" } } },
    ];
    expect(providerSchema(object({ anyOf })).properties).toEqual({ a: {}, b: {} });
  });

  it("A schema of thousands of alternatives stays small.", () => {
    const anyOf = Array.from({ length: 4_000 }, (_, at) => ({ properties: { [`p${at}`]: text } }));
    const shown = providerSchema(object({ anyOf }));
    expect(schemaDefect(shown)).toBeUndefined();
    expect(Object.keys(shown.properties as object).length).toBeLessThanOrEqual(2_000);
  });

  const leaf = fc.constantFrom<unknown>(
    text,
    { type: "number" },
    { const: "x" },
    { enum: ["x", 1] },
    { $ref: "#/$defs/part" },
    object({ properties: { deep: text } }),
  );
  const names = fc.constantFrom("a", "b", "c");
  const said = {
    properties: fc.dictionary(names, leaf),
    required: fc.subarray(["a", "b", "c"]),
    additionalProperties: fc.constant(false),
  };
  const partOf = (depth: number): fc.Arbitrary<JsonObject> => {
    const plain = { ...said, $ref: fc.constant("#/$defs/part") };
    if (depth === 0) return fc.record(plain, { requiredKeys: [] });
    const inner = partOf(depth - 1);
    const list = fc.array(inner, { minLength: 1, maxLength: 3 });
    const lists = { allOf: list, anyOf: list, oneOf: list };
    const conditions = Object.fromEntries(CONDITIONS.map((key) => [key, inner]));
    const dependentSchemas = fc.dictionary(names, inner, { maxKeys: 1 });
    const keywords = { ...plain, ...lists, ...conditions, dependentSchemas };
    const some = fc.subarray(Object.keys(keywords), { maxLength: 4 });
    return some.chain((keys) =>
      fc.record(Object.fromEntries(Object.entries(keywords).filter(([key]) => keys.includes(key)))),
    );
  };
  const schemas = fc.tuple(partOf(2), fc.record(said, { requiredKeys: [] })).map(([root, part]) => {
    return object({ ...root, $defs: { part } });
  });
  const argument = fc.constantFrom<unknown>("x", 1, { deep: "x" }, { a: "x" }, true);
  const samples = fc.array(fc.dictionary(names, argument), { minLength: 20, maxLength: 20 });

  it("Arguments that a schema describes and accepts are accepted by what a model is offered.", () => {
    let accepted = 0;
    fc.assert(
      fc.property(schemas, samples, (schema, values) => {
        if (schemaDefect(schema)) return;
        const isValid = validatorOf({ ...schema, unevaluatedProperties: false });
        const isOffered = validatorOf(providerSchema(schema));
        for (const value of values) {
          if (!isValid.validate(value).valid) continue;
          accepted++;
          expect(isOffered.validate(value).errors, JSON.stringify([schema, value])).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it("Whatever a schema says, the offered one is an object with properties and stays itself.", () => {
    fc.assert(
      fc.property(
        fc.oneof(schemas, fc.dictionary(fc.constantFrom(...REFUSED, "required"), fc.jsonValue())),
        (schema) => {
          fc.pre(schemaDefect(object(schema as JsonObject)) === undefined); // Such a tool is not offered.
          const shown = providerSchema(object(schema as JsonObject));
          expect(Object.keys(shown).filter((key) => REFUSED.includes(key))).toEqual([]);
          expect(shown).toMatchObject({ type: "object", properties: expect.any(Object) });
          expect(providerSchema(shown)).toEqual(shown);
        },
      ),
    );
  });
});

it("The keys of a schema stay in the order of the server.", () => {
  const list = { description: "Names.", items: { type: "string" }, type: "array" };
  const schema = { type: "object", properties: { list, any: { type: "object" } } };
  expect(JSON.stringify(providerSchema(schema))).toBe(
    JSON.stringify({
      type: "object",
      properties: { list, any: { type: "object", properties: {} } },
    }),
  );
});
