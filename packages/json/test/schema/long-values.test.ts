import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/index.ts";
import { createValidator } from "../../src/schema/validator.ts";

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

  it("A check ends soon if a long list must be unique many times over.", () => {
    const allOf = Array.from({ length: 40 }, () => ({ uniqueItems: true }));
    const value = Array.from({ length: 100_000 }, (_, at) => ({ at }));
    expect(checkOf({ allOf }, value)).toThrow(/takes too long/);
  });

  it("A value that costs too much takes nothing from the next one.", () => {
    const allOf = Array.from({ length: 1_000 }, () => ({ maxLength: 5_000_000 }));
    const check = createValidator().getValidator({ allOf });
    expect(() => check("x".repeat(2_000_000))).toThrow(/takes too long/);
    expect(check("x").valid).toBe(true);
  });

  it.each([{ maxLength: 5_000_000 }, { minLength: 0 }])(
    "A check ends soon if a long text is counted many times over by %o.",
    (bound) => {
      const allOf = Array.from({ length: 1_000 }, () => bound);
      expect(checkOf({ allOf }, "x".repeat(2_000_000))).toThrow(/takes too long/);
    },
  );

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
