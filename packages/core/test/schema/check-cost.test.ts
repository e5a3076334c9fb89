import { describe, expect, it } from "vitest";
import { createValidator, type JsonObject } from "../../src/index.ts";
import { COST_KEYWORD, createCostMeter, withCosts } from "../../src/schema/check-cost.ts";

/** What a check says; it throws where the value costs too much. */
function checkOf(schema: JsonObject, value: unknown): () => boolean {
  const check = createValidator().getValidator(schema);
  return () => check(value).valid;
}

describe("withCosts", () => {
  it("marks what references and repetition lead to, and leaves the rest as it is", () => {
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

  it("changes nothing in the schema it is given", () => {
    const schema = Object.freeze({ items: Object.freeze({ type: "number" }) });
    withCosts(schema);
    expect(schema).toEqual({ items: { type: "number" } });
  });
});

describe("createCostMeter", () => {
  it("throws when all is spent, and starts anew", () => {
    const meter = createCostMeter();
    expect(() => meter.spend(1e9)).toThrow(/takes too long/);
    meter.restart();
    expect(() => meter.spend(1)).not.toThrow();
  });
});

describe("a check", () => {
  it("ends soon where a schema doubles with each level of the value", () => {
    const twice = { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/x" }] };
    const schema = { $ref: "#/$defs/x", $defs: { x: { properties: { a: twice } } } };
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    expect(checkOf(schema, value)).toThrow(/takes too long/);
  });

  it("ends soon where many items meet many alternatives", () => {
    const items = { anyOf: Array.from({ length: 4_000 }, (_, at) => ({ const: `${at}` })) };
    const value = Array.from({ length: 200_000 }, () => "3999");
    expect(checkOf({ items }, value)).toThrow(/takes too long/);
  });

  it("finds out about 100,000 unique objects in time", () => {
    const value = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    expect(checkOf({ uniqueItems: true, items: { type: "object" } }, value)()).toBe(true);
  });

  it("lets a large honest list through", () => {
    const items = {
      type: "object",
      properties: { id: { type: "number" }, name: { type: "string", pattern: "^n" } },
      required: ["id", "name"],
    };
    const value = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` }));
    expect(checkOf({ type: "array", items }, value)()).toBe(true);
  });
});
