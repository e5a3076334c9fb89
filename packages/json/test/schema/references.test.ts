import { describe, expect, it } from "vitest";
import { resolveReferences } from "../../src/schema/references.ts";

const TEXT = { type: "string" };

describe("resolveReferences", () => {
  it.each([
    ["a pointer", { $ref: "#/$defs/t", $defs: { t: TEXT } }],
    ["a pointer with escapes", { $ref: "#/$defs/a~1b%20c~0", $defs: { "a/b c~": TEXT } }],
    ["an anchor", { $ref: "#t", $defs: { t: { ...TEXT, $anchor: "t" } } }],
    ["an id", { $ref: "t", $defs: { t: { ...TEXT, $id: "t" } } }],
    [
      "an id below the root's own",
      { $id: "https://example.com/s", $ref: "t", $defs: { t: { ...TEXT, $id: "t" } } },
    ],
    [
      "the root's own address",
      { $id: "https://example.com/s", $ref: "https://example.com/s#/$defs/t", $defs: { t: TEXT } },
    ],
    ["an old anchor", { $ref: "#t", definitions: { t: { ...TEXT, $id: "#t" } } }],
  ])("A reference by %s is followed.", (_, schema) => {
    const { dangling, targets } = resolveReferences(schema);
    expect(dangling).toBeUndefined();
    expect(targets(schema)).toEqual([expect.objectContaining(TEXT)]);
  });

  it.each(["https://example.com/s", "other.json", "#/nowhere", "#nowhere", "#/__proto__"])(
    "A reference to %o is dangling.",
    ($ref) => {
      expect(resolveReferences({ properties: { a: { $ref } } }).dangling).toBe($ref);
    },
  );

  it.each(["#/default", "#/enum/0", "#/properties", "#/x/0/0"])(
    "A reference to %o leads to no schema and is dangling.",
    ($ref) => {
      const schema = { $ref, default: TEXT, enum: [TEXT], properties: {}, x: [[TEXT]] };
      expect(resolveReferences(schema).dangling).toBe($ref);
    },
  );

  it("A pointer is resolved inside the nearest $id.", () => {
    const inner = { $id: "inner", $ref: "#/$defs/t", $defs: { t: TEXT } };
    const { dangling, targets } = resolveReferences({ $defs: { inner } });
    expect(dangling).toBeUndefined();
    expect(targets(inner)).toEqual([TEXT]);
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
    const { dangling, subschemas } = resolveReferences(schema);
    expect(dangling).toBeUndefined();
    expect(subschemas).toHaveLength(4);
  });

  it("A reference to a boolean schema is not dangling and leads nowhere.", () => {
    const { dangling, targets } = resolveReferences({ $ref: "#/$defs/t", $defs: { t: true } });
    expect([dangling, targets({})]).toEqual([undefined, []]);
  });
});
