import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { createValidator } from "../../src/json/validator.ts";

/** What a check says; it throws where the value costs too much. */
function checkOf(schema: JsonObject, value: unknown): () => boolean {
  const check = createValidator().getValidator(schema);
  return () => check(value).valid;
}

describe("the cost of a check of a long value", () => {
  it("100,000 objects are found to be unique in time.", () => {
    const value = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    expect(checkOf({ uniqueItems: true, items: { type: "object" } }, value)()).toBe(true);
  });

  it("A check ends soon if the schema doubles with each level of the value.", () => {
    const twice = { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/x" }] };
    const schema = { $ref: "#/$defs/x", $defs: { x: { properties: { a: twice } } } };
    let value: object = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    expect(checkOf(schema, value)).toThrow(/takes too long/);
  });

  it("A check ends soon if a long text meets a large pattern.", () => {
    const pattern = `(x|${"[ab]{1000}".repeat(4)})+$`;
    expect(checkOf({ pattern }, `${"ab".repeat(50_000)}c`)).toThrow(/takes too long/);
  });

  it("A value that takes too long takes nothing from the next one.", () => {
    const check = createValidator().getValidator({ pattern: `(x|${"[ab]{1000}".repeat(4)})+$` });
    expect(() => check(`${"ab".repeat(50_000)}c`)).toThrow(/takes too long/);
    expect(check("x").valid).toBe(true);
  });

  it("Visits that the schema itself claims to count mean nothing.", () => {
    const x = { "x-toolrail-visit": false, properties: { a: { $ref: "#/$defs/x" } } };
    expect(checkOf({ $ref: "#/$defs/x", $defs: { x } }, { a: { a: {} } })()).toBe(true);
  });

  it("A large honest list passes.", () => {
    const items = {
      type: "object",
      properties: { id: { type: "number" }, name: { type: "string", pattern: "^n" } },
      required: ["id", "name"],
    };
    const value = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `n${id}` }));
    expect(checkOf({ type: "array", items }, value)()).toBe(true);
  });
});
