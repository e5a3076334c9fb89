import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outline } from "../../src/references/notice.ts";

describe("an outline", () => {
  it("is short for any value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => outline(value).length <= 1_300));
  });

  it("says how many keys it leaves out", () => {
    const value = Object.fromEntries(Array.from({ length: 34 }, (_, at) => [`k${at}`, at]));
    expect(outline(value).split("\n").at(-1)).toBe("  … 14 more");
  });

  it("ends when there is no room for more, and says so", () => {
    const names = Array.from({ length: 20 }, (_, at) => `${"long".repeat(40)}${at}`);
    const value = Object.fromEntries(names.map((name) => [name, 1]));
    expect(outline(value).split("\n").at(-1)).toBe("… and more");
  });

  it("goes three levels deep, however deep a value is", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 3_000; level++) deep = { a: deep };
    expect(outline(deep).split("\n")).toHaveLength(4);
  });
});
