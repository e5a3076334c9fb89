import { describe, expect, it } from "vitest";
import { mapSubschemas, subschemasOf } from "../../src/json/schema.ts";

const TEXT = { type: "string" };

describe("subschemasOf", () => {
  it.each([
    ["same", { anyOf: [TEXT] }, { keyword: "anyOf", key: "0" }],
    ["same", { dependentSchemas: { a: TEXT } }, { keyword: "dependentSchemas", key: "a" }],
    ["test", { not: TEXT }, { keyword: "not" }],
    ["part", { properties: { default: TEXT } }, { keyword: "properties", key: "default" }],
    ["each", { items: TEXT }, { keyword: "items" }],
    ["each", { items: [TEXT] }, { keyword: "items", key: "0" }],
    ["name", { propertyNames: TEXT }, { keyword: "propertyNames" }],
    ["shelf", { $defs: { a: TEXT } }, { keyword: "$defs", key: "a" }],
    ["unknown", { extras: TEXT }, { keyword: "extras" }],
    ["unknown", { constructor: TEXT }, { keyword: "constructor" }],
  ])("A subschema with the role %s is found with its place.", (role, schema, place) => {
    expect(subschemasOf(schema)).toEqual([{ schema: TEXT, role, ...place }]);
  });

  it("Data, boolean schemas and lists of names hold no subschemas.", () => {
    const schema = { const: TEXT, enum: [TEXT], default: TEXT, examples: [TEXT], items: true };
    expect(subschemasOf({ ...schema, required: ["a"], dependencies: { a: ["b"] } })).toEqual([]);
  });
});

describe("mapSubschemas", () => {
  it("Every subschema is replaced, and everything else is kept.", () => {
    const schema = {
      type: "object",
      default: TEXT,
      properties: { a: TEXT, b: true },
      allOf: [TEXT, false],
      items: TEXT,
      extras: TEXT,
    };
    expect(mapSubschemas(schema, () => ({}))).toEqual({
      type: "object",
      default: TEXT,
      properties: { a: {}, b: true },
      allOf: [{}, false],
      items: {},
      extras: {},
    });
    expect(schema.items).toBe(TEXT);
  });

  it("A property named __proto__ stays a property.", () => {
    const schema = JSON.parse('{ "properties": { "__proto__": {} } }') as object;
    const copy = mapSubschemas({ ...schema }, () => TEXT);
    expect(JSON.stringify(copy)).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });
});
