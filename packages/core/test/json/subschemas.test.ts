import { describe, expect, it } from "vitest";
import { subschemasOf } from "../../src/json/schema.ts";

const TEXT = { type: "string" };

describe("subschemasOf", () => {
  it.each([
    [{ anyOf: [TEXT] }, { keyword: "anyOf", key: "0" }],
    [{ dependentSchemas: { a: TEXT } }, { keyword: "dependentSchemas", key: "a" }],
    [{ not: TEXT }, { keyword: "not" }],
    [{ properties: { default: TEXT } }, { keyword: "properties", key: "default" }],
    [{ items: TEXT }, { keyword: "items" }],
    [{ items: [TEXT] }, { keyword: "items", key: "0" }],
    [{ propertyNames: TEXT }, { keyword: "propertyNames" }],
    [{ $defs: { a: TEXT } }, { keyword: "$defs", key: "a" }],
    [{ extras: TEXT }, { keyword: "extras" }],
    [{ constructor: TEXT }, { keyword: "constructor" }],
  ])("A subschema in %j is found with its place.", (schema, place) => {
    expect(subschemasOf(schema)).toEqual([{ schema: TEXT, ...place }]);
  });

  it("Data, boolean schemas and lists of names hold no subschemas.", () => {
    const schema = { const: TEXT, enum: [TEXT], default: TEXT, examples: [TEXT], items: true };
    const names = { required: ["a"], dependencies: { a: ["b"] }, dependentRequired: { a: ["b"] } };
    expect(subschemasOf({ ...schema, ...names })).toEqual([]);
  });
});
