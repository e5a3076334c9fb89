import { Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { requireLess } from "../../src/json/input-schema.ts";
import { schemaDefect } from "../../src/json/schema.ts";

const text = { type: "string" };
const usual = { type: "string", default: "x" };
const object = (properties: JsonObject, required: readonly string[], more: JsonObject = {}) => {
  return { type: "object", properties, required, ...more };
};

describe("requireLess", () => {
  it("An argument that has a default is not required.", () => {
    expect(requireLess(object({ a: usual, b: text }, ["a", "b"]))).toEqual(
      object({ a: usual, b: text }, ["b"]),
    );
  });

  it("If nothing else is required, nothing says so.", () => {
    expect(requireLess(object({ a: usual }, ["a"]))).toEqual({
      type: "object",
      properties: { a: usual },
    });
  });

  it("A schema without such a property stays as it is.", () => {
    const schema = object({ a: text, default: text }, ["a", "default"]);
    expect(requireLess(schema)).toEqual(schema);
  });

  it("Schemas in it stay as the server wrote them.", () => {
    const inner = object({ a: usual }, ["a"]);
    for (const more of [{ not: inner }, { oneOf: [inner, {}] }, { $defs: { inner } }]) {
      const schema = object({ inner }, ["inner"], more);
      expect(requireLess(schema)).toBe(schema);
    }
  });

  it("Whatever a schema accepts, it accepts when it requires less.", () => {
    const validatorOf = (schema: JsonObject) => new Validator(structuredClone(schema), "2020-12");
    const names = ["a", "b"];
    const leaf = fc.constantFrom<JsonObject>(text, usual, { const: 1, default: 1 });
    const schemaOf = (depth: number): fc.Arbitrary<JsonObject> => {
      if (depth === 0) return leaf;
      const inner = schemaOf(depth - 1);
      const list = fc.array(inner, { minLength: 1, maxLength: 2 });
      const keywords: Record<string, fc.Arbitrary<unknown>> = {
        properties: fc.dictionary(fc.constantFrom(...names), inner),
        required: fc.subarray(names),
        unevaluatedProperties: fc.constant(false),
        ...{ anyOf: list, oneOf: list, allOf: list, not: inner, if: inner, else: inner },
        $ref: fc.constant("#/$defs/part"),
      };
      const some = fc.subarray(Object.keys(keywords), { maxLength: 4 });
      return some.chain((keys) =>
        fc.record(
          Object.fromEntries(Object.entries(keywords).filter(([key]) => keys.includes(key))),
        ),
      );
    };
    const schemas = schemaOf(3);
    const values = fc.array(
      fc.dictionary(fc.constantFrom(...names), fc.constantFrom<unknown>("x", 1, { a: "x" })),
      { minLength: 10, maxLength: 10 },
    );
    let accepted = 0;
    fc.assert(
      fc.property(schemas, schemas, values, (body, part, samples) => {
        const schema = { ...body, $defs: { part } };
        if (schemaDefect(schema)) return;
        const before = validatorOf(schema);
        const after = validatorOf(requireLess(schema));
        for (const value of samples) {
          if (!before.validate(value).valid) continue;
          accepted++;
          expect(after.validate(value).errors, JSON.stringify([schema, value])).toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
