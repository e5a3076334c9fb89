import { describe, expect, it } from "vitest";
import { createAjvValidator, type JsonObject } from "../../src/index.ts";
import { COST_KEYWORD, createCostMeter, withCosts } from "../../src/schema/check-cost.ts";

function timed(schema: JsonObject, value: unknown): { ms: number; said: unknown } {
  const check = createAjvValidator().getValidator(schema);
  const started = performance.now();
  let said: unknown;
  try {
    said = check(value).valid;
  } catch (error) {
    said = String(error);
  }
  return { ms: performance.now() - started, said };
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
    const { ms, said } = timed(schema, value);
    expect(said).toMatch(/takes too long/);
    expect(ms).toBeLessThan(3_000);
  });

  it("ends soon where many items meet many alternatives", () => {
    const items = { anyOf: Array.from({ length: 4_000 }, (_, at) => ({ const: `${at}` })) };
    const value = Array.from({ length: 200_000 }, () => "3999");
    const { ms, said } = timed({ items }, value);
    expect(said).toMatch(/takes too long/);
    expect(ms).toBeLessThan(3_000);
  });

  it("finds out about 100,000 unique objects in time", () => {
    const value = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    const { ms, said } = timed({ uniqueItems: true, items: { type: "object" } }, value);
    expect(said).toBe(true);
    expect(ms).toBeLessThan(3_000);
  });

  it("lets a large honest list through", () => {
    const items = {
      type: "object",
      properties: { id: { type: "number" }, name: { type: "string", pattern: "^n" } },
      required: ["id", "name"],
    };
    const value = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` }));
    expect(timed({ type: "array", items }, value).said).toBe(true);
  });
});
