import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { COST_KEYWORD, withCosts } from "../../src/schema/bounded-validator.ts";
import { createValidator } from "../../src/schema/index.ts";

/** What a check says; it throws where the value costs too much. */
function checkOf(schema: JsonObject, value: unknown): () => boolean {
  const check = createValidator().getValidator(schema);
  return () => check(value).valid;
}

describe("withCosts", () => {
  it("Subschemas that references and repetition lead to carry their cost; the rest stays as it is.", () => {
    const schema = {
      properties: { list: { items: { type: "number" } }, one: { $ref: "#/$defs/t" } },
      $defs: { t: { type: "string" } },
    };
    expect(withCosts(schema)).toEqual({
      properties: {
        list: { items: { type: "number", [COST_KEYWORD]: 2 } },
        one: { $ref: "#/$defs/t" },
      },
      $defs: { t: { type: "string", [COST_KEYWORD]: 2 } },
    });
  });

  it("The schema that was given is not changed.", () => {
    const schema = Object.freeze({ items: Object.freeze({ type: "number" }) });
    withCosts(schema);
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
