import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { COST_KEYWORD, prepareSchema } from "../../src/schema/bounded-validator.ts";
import { createValidator } from "../../src/schema/validator.ts";

/** What a check says; it throws where the value costs too much. */
function checkOf(schema: JsonObject, value: unknown): () => boolean {
  const check = createValidator().getValidator(schema);
  return () => check(value).valid;
}

describe("prepareSchema", () => {
  it("Subschemas that references and repetition lead to carry their cost; the rest stays as it is.", () => {
    const schema = {
      properties: { list: { items: { type: "number" } }, one: { $ref: "#/$defs/t" } },
      $defs: { t: { type: "string" } },
    };
    expect(prepareSchema(schema).schema).toEqual({
      properties: {
        list: { items: { type: "number", [COST_KEYWORD]: 2 } },
        one: { $ref: "#/x-toolrail-targets/0" },
      },
      $defs: { t: { type: "string", [COST_KEYWORD]: 2 } },
      "x-toolrail-targets": [{ type: "string", [COST_KEYWORD]: 2 }],
    });
  });

  it("The schema that was given is not changed.", () => {
    const schema = Object.freeze({ items: Object.freeze({ type: "number" }) });
    prepareSchema(schema);
    expect(schema).toEqual({ items: { type: "number" } });
  });
});

describe("the cost of a check", () => {
  it("A check ends soon if the schema doubles with each level of the value.", () => {
    const twice = { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/x" }] };
    const schema = { $ref: "#/$defs/x", $defs: { x: { properties: { a: twice } } } };
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    expect(checkOf(schema, value)).toThrow(/takes too long/);
  });

  it("A cost that the schema itself carries counts for nothing.", () => {
    const items = { anyOf: Array.from({ length: 4_000 }, (_, at) => ({ const: `${at}` })) };
    const value = Array.from({ length: 200_000 }, () => "3999");
    for (const cost of [-1e12, "x"]) {
      expect(checkOf({ items, [COST_KEYWORD]: cost }, value)).toThrow(/takes too long/);
    }
  });

  it("A check ends soon if many items meet many alternatives.", () => {
    const items = { anyOf: Array.from({ length: 4_000 }, (_, at) => ({ const: `${at}` })) };
    const value = Array.from({ length: 200_000 }, () => "3999");
    expect(checkOf({ items }, value)).toThrow(/takes too long/);
  });

  it("A check ends soon if a long text meets a large pattern.", () => {
    const pattern = `(x|${"[ab]{1000}".repeat(4)})+$`;
    expect(checkOf({ pattern }, `${"ab".repeat(50_000)}c`)).toThrow(/takes too long/);
  });
});

const BOTH = {
  t: { $anchor: "t", type: ["array", "null"] },
  u: { $dynamicAnchor: "u", type: ["string", "null"] },
};

/** Two parts of the same address and content. */
function twiceSame(part: JsonObject): JsonObject {
  return { items: { $ref: "t" }, $defs: { a: part, b: part } };
}

/** Doubles with each level of the value if its references are read as `again` is. */
function twice(again: JsonObject): JsonObject {
  return { properties: { c: { allOf: [again, again] } } };
}

describe("a reference", () => {
  let deep: object = {};
  for (let level = 0; level < 60; level++) deep = { c: deep };

  it.each<[string, JsonObject]>([
    ["a key that is empty", { "": {}, ...twice({ $ref: "#/" }) }],
    [
      "an escaped slash",
      { $ref: "#/$defs/a%2Fb", $defs: { "a/b": {}, a: { b: twice({ $ref: "#/$defs/a%2Fb" }) } } },
    ],
    [
      "an address that the schema claims to have resolved",
      { $defs: { a: {} }, ...twice({ $ref: "#/$defs/a", __absolute_ref__: "#" }) },
    ],
    [
      "another base by the old name of `$id`",
      { $defs: { a: {} }, ...twice({ $ref: "#/$defs/a", id: "https://example.com/b" }) },
    ],
  ])("to %s leads where it was judged to lead, and doubles nothing.", (_, schema) => {
    expect(createValidator().getValidator(schema)(deep).valid).toBe(true);
  });

  it.each<[string, JsonObject]>([
    [
      "a dynamic reference that another anchor of its name would catch",
      {
        $id: "https://example.com/r",
        $dynamicAnchor: "a",
        properties: {
          c: {
            $id: "https://example.com/s",
            $defs: { x: { $dynamicAnchor: "a" } },
            allOf: [{ $dynamicRef: "#a" }, { $dynamicRef: "#a" }],
          },
        },
      },
    ],
    [
      "two schemas of one anchor",
      { $ref: "#a", $defs: { s: { $anchor: "a" }, t: { $anchor: "a", ...twice({ $ref: "#a" }) } } },
    ],
    [
      "two schemas of one address that is written in two ways",
      { $defs: { s: { $id: "https://a/x" }, t: { $id: "https://a/\tx", ...twice({}) } } },
    ],
  ])("in a schema with %s is refused.", (_, schema) => {
    expect(() => createValidator().getValidator(schema)).toThrow(
      /two different schemas in it have the/,
    );
  });

  it.each<[string, JsonObject]>([
    ["$dynamicRef", { $dynamicAnchor: "a", items: { $dynamicRef: "#a" }, type: ["array", "null"] }],
    [
      "an $id that occurs twice in the same words",
      twiceSame({ $id: "t", type: ["array", "null"] }),
    ],
    ["$ref and $dynamicRef", { items: { $ref: "#t", $dynamicRef: "#u" }, $defs: BOTH }],
    ["a schema that is false", { items: { not: { $ref: "#/$defs/no" } }, $defs: { no: false } }],
  ])("by %s is followed.", (_, schema) => {
    const check = createValidator().getValidator(schema);
    expect(check([null]).valid).toBe(true);
    expect(check(["x"]).valid).toBe(JSON.stringify(schema).includes("false"));
  });

  it("cannot make a check wait: its verdict comes at once, and nothing is rejected later.", () => {
    const schema = { $async: true, type: "number", $defs: { a: { $async: true } } };
    const check = createValidator().getValidator(schema);
    expect([check("x").valid, check(1).valid]).toEqual([false, true]);
  });

  it("stands beside `nullable`, which allows null for a type as OpenAPI says.", () => {
    const check = createValidator().getValidator({ items: { type: "number", nullable: true } });
    expect([check([null, 1]).valid, check(["x"]).valid]).toEqual([true, false]);
  });
});
