import { describe, expect, it } from "vitest";
import { subschemasOf } from "../../src/json/schema.ts";

const TEXT = { type: "string" };

describe("subschemasOf", () => {
  it.each([
    ["same", { anyOf: [TEXT] }, { keyword: "anyOf", key: "0" }],
    ["same", { dependentSchemas: { a: TEXT } }, { keyword: "dependentSchemas", key: "a" }],
    ["test", { not: TEXT }, { keyword: "not" }],
    ["part", { properties: { default: TEXT } }, { keyword: "properties", key: "default" }],
    ["part", { items: TEXT }, { keyword: "items" }],
    ["part", { items: [TEXT] }, { keyword: "items", key: "0" }],
    ["other", { propertyNames: TEXT }, { keyword: "propertyNames" }],
    ["part", { $defs: { a: TEXT } }, { keyword: "$defs", key: "a" }],
    ["other", { extras: TEXT }, { keyword: "extras" }],
    ["other", { constructor: TEXT }, { keyword: "constructor" }],
  ])("A subschema with the role %s is found with its place.", (role, schema, place) => {
    expect(subschemasOf(schema)).toEqual([{ schema: TEXT, role, ...place }]);
  });

  it("Data, boolean schemas and lists of names hold no subschemas.", () => {
    const schema = { const: TEXT, enum: [TEXT], default: TEXT, examples: [TEXT], items: true };
    const names = { required: ["a"], dependencies: { a: ["b"] }, dependentRequired: { a: ["b"] } };
    expect(subschemasOf({ ...schema, ...names })).toEqual([]);
  });
});
