import { describe, expect, it } from "vitest";
import { resolveReferences } from "../../src/json/schema.ts";

const TEXT = { type: "string" };

describe("resolveReferences", () => {
  it.each([
    ["a pointer", { $ref: "#/$defs/t", $defs: { t: TEXT } }],
    ["a pointer with escapes", { $ref: "#/$defs/a~1b%20c~0", $defs: { "a/b c~": TEXT } }],
    ["a pointer into a part", { $ref: "#/allOf/0", allOf: [TEXT] }],
    [
      "a pointer below the root's own $id",
      { $id: "https://a", $ref: "#/$defs/t", $defs: { t: TEXT } },
    ],
  ])("A reference by %s is followed.", (_, schema) => {
    const { problem, targets } = resolveReferences(schema);
    expect(problem).toBeUndefined();
    expect(targets(schema)).toEqual([TEXT]);
  });

  it.each([
    ...["https://example.com/s", "other.json", "#/nowhere", "#nowhere", "#/__proto__", "t"],
    // Libraries read these in different ways.
    ...[
      "#/",
      "#/$defs/",
      "#/$defs/a%2Fb",
      "#/$defs/%ff",
      "#/$defs/t#",
      "#t",
      "https://a/x#/$defs/t",
    ],
  ])("A reference to %o is refused, with the form that is followed.", ($ref) => {
    const $defs = { t: { ...TEXT, $anchor: "t", $id: "t" }, "a/b": TEXT, "": TEXT };
    const { problem } = resolveReferences({ properties: { a: { $ref } }, $defs });
    expect(problem).toContain(JSON.stringify($ref));
    expect(problem).toContain("#/$defs/name");
  });

  it.each(["#/default", "#/enum/0", "#/properties", "#/x/0/0"])(
    "A reference to %o leads to no schema, and is refused.",
    ($ref) => {
      const schema = { $ref, default: TEXT, enum: [TEXT], properties: {}, x: [[TEXT]] };
      expect(resolveReferences(schema).problem).toContain("not a schema in it");
    },
  );

  it.each(["$dynamicRef", "$recursiveRef"])("A %s is refused.", (keyword) => {
    expect(resolveReferences({ items: { [keyword]: "#" } }).problem).toContain(keyword);
  });

  it("Anchors that no reference uses change nothing, and an $id below the top is refused beside references alone.", () => {
    const $defs = { t: { ...TEXT, $anchor: "t", $dynamicAnchor: "u", $id: "t" } };
    expect(resolveReferences({ $defs }).problem).toBeUndefined();
    expect(resolveReferences({ $defs, items: { $ref: "#/$defs/t" } }).problem).toContain("$id");
  });

  it("A $ref in data is no reference, and a property may be named like a keyword.", () => {
    const data = { $ref: "https://example.com/data" };
    const schema = {
      default: data,
      const: data,
      enum: [data],
      examples: [data],
      properties: { default: { ...TEXT }, $ref: TEXT, enum: { $ref: "#/properties/default" } },
    };
    const { problem, subschemas } = resolveReferences(schema);
    expect(problem).toBeUndefined();
    expect(subschemas).toHaveLength(4);
  });

  it("A reference to a boolean schema leads nowhere.", () => {
    const { problem, targets } = resolveReferences({ $ref: "#/$defs/t", $defs: { t: true } });
    expect([problem, targets({})]).toEqual([undefined, []]);
  });
});
