import { describe, expect, it } from "vitest";
import { readDialect, schemaDefect } from "../../src/json/schema.ts";

/** `levels` definitions, each of which refers twice to the next. */
function doubling(levels: number) {
  const next = (level: number) => ({ $ref: `#/$defs/d${level + 1}` });
  const defs = Array.from({ length: levels }, (_, level) => [
    `d${level}`,
    { allOf: [next(level), next(level)] },
  ]);
  return {
    $ref: "#/$defs/d0",
    $defs: { ...Object.fromEntries(defs), [`d${levels}`]: { type: "string" } },
  };
}

function nested(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
}

describe("readDialect", () => {
  it.each([
    [undefined, "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema", "2020-12"],
    ["https://json-schema.org/draft/2020-12/schema#", "2020-12"],
    ["http://json-schema.org/draft-07/schema#", "draft-07"],
    ["http://json-schema.org/draft-04/schema#", undefined],
    ["https://json-schema.org/draft/2019-09/schema", undefined],
    ["https://example.com/draft-07/schema", undefined],
    [7, undefined],
  ])("The dialect of $schema %s is %s.", ($schema, dialect) => {
    expect(readDialect($schema === undefined ? {} : { $schema })).toBe(dialect);
  });
});

describe("schemaDefect", () => {
  it.each([
    ["an empty schema", {}],
    ["a recursive tree", { properties: { kids: { items: { $ref: "#" } } } }],
    [
      "mutual recursion through a value",
      {
        $defs: {
          a: { properties: { b: { $ref: "#/$defs/b" } } },
          b: { properties: { a: { $ref: "#/$defs/a" } } },
        },
        $ref: "#/$defs/a",
      },
    ],
    ["twelve levels of doubling", doubling(12)],
    [
      "a property called default that refers",
      { properties: { default: { $ref: "#/$defs/t" } }, $defs: { t: {} } },
    ],
    ["members that are undefined", { properties: undefined, title: undefined }],
  ])("There is no defect in %s.", (_, schema) => {
    expect(schemaDefect(schema)).toBeUndefined();
  });

  it.each([
    ["the form of a list", [], /not an object/],
    ["the value true", true, /not an object/],
    [
      "a dialect of 2019",
      { $schema: "https://json-schema.org/draft/2019-09/schema" },
      /unsupported/,
    ],
    [
      "a remote reference",
      { properties: { a: { $ref: "https://example.com/s" } } },
      /never fetched/,
    ],
    [
      "a remote reference behind an undefined member",
      { properties: { a: { $ref: "https://example.com/s" } }, title: undefined },
      /never fetched/,
    ],
    ["a relative reference", { $ref: "other.json" }, /never fetched/],
    ["a reference to nothing", { $ref: "#/$defs/none" }, /not a schema in it/],
    ["a reference into data", { $ref: "#/default", default: { type: "string" } }, /not a schema/],
    ["a reference to itself", { $ref: "#" }, /loop or multiply/],
    [
      "a mutual loop",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } },
      /loop or multiply/,
    ],
    ["a loop through allOf", { allOf: [{ $ref: "#" }] }, /loop or multiply/],
    [
      "a loop through dependentSchemas",
      { dependentSchemas: { a: { $ref: "#" } } },
      /loop or multiply/,
    ],
    ["a reference by an anchor", { $anchor: "x", items: { $ref: "#x" } }, /use a \$ref such as/],
    ["a dynamic reference", { items: { $dynamicRef: "#x" } }, /has a \$dynamicRef; use a \$ref/],
    ["twenty-two levels of doubling", doubling(22), /loop or multiply/],
    ["10,000 levels", nested(10_000), /deeper/],
    ["20,000 alternatives", { anyOf: Array.from({ length: 20_000 }, () => ({})) }, /subschemas/],
    ["300 kB", { description: "x".repeat(300_000) }, /larger/],
    [
      "a long way of references",
      {
        $ref: "#/$defs/d0",
        $defs: Object.fromEntries([
          ...Array.from({ length: 2_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
          ["d2000", {}],
        ]),
      },
      /loop or multiply/,
    ],
  ])("A schema with %s has a defect.", (_, schema, reason) => {
    expect(schemaDefect(schema)).toMatch(reason);
  });
});
