import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createValidator } from "../../src/schema/validator.edge.ts";

const check = (schema: JsonObject, value: unknown) => createValidator().getValidator(schema)(value);

const ROWS = Array.from({ length: 20_000 }, (_, at) => at);

describe("the validator for edge runtimes", () => {
  it("A check ends soon if many items, large ones, or the same ones again and again must be unique.", () => {
    const unique = { uniqueItems: true };
    const numbers = Array.from({ length: 30_000 }, (_, at) => at);
    expect(() => check(unique, numbers)).toThrow(/takes too long/);
    expect(check({ minItems: 1 }, numbers).valid).toBe(true);
    expect(check(unique, numbers.slice(0, 2_000)).valid).toBe(true);
    expect(check(unique, [...numbers.slice(0, 2_000), 1]).valid).toBe(false);
    const again = { allOf: Array.from({ length: 4_000 }, () => unique) };
    expect(() => check(again, numbers.slice(0, 3_000))).toThrow(/takes too long/);
    const row = Object.fromEntries(numbers.slice(0, 100).map((at) => [`k${at}`, 1]));
    const rows = numbers.slice(0, 1_000).map((at) => ({ ...row, k99: at }));
    expect(() => check(unique, rows)).toThrow(/takes too long/);
    expect(check(unique, rows.slice(0, 50)).valid).toBe(true);
  });

  it.each<[string, JsonObject, unknown]>([
    [
      "a text is tested again and again on the same pattern",
      { allOf: Array.from({ length: 4_000 }, () => ({ pattern: "a*b" })) },
      `${"a".repeat(1_999)}b`,
    ],
    [
      "many objects have a part that is tested on the same pattern",
      { allOf: Array.from({ length: 2_000 }, () => ({ properties: { a: { pattern: "a*b" } } })) },
      { a: `${"a".repeat(1_999)}b` },
    ],
    [
      "many keys are tested on many patterns",
      { patternProperties: Object.fromEntries(ROWS.slice(0, 500).map((at) => [`^k${at}$`, {}])) },
      Object.fromEntries(ROWS.map((at) => [`k${at}`, 1])),
    ],
    [
      "the keys of a large object are listed again and again",
      { allOf: Array.from({ length: 4_000 }, () => ({ maxProperties: 1e9 })) },
      Object.fromEntries(ROWS.map((at) => [`k${at}`, 1])),
    ],
  ])("A check ends soon if %s.", (_, schema, value) => {
    expect(() => check(schema, value)).toThrow(/takes too long/);
  });
});
