import { describe, expect, it } from "vitest";
import { createPlainPattern, patternDefect } from "../../src/schema/plain-pattern.ts";

describe("patternDefect", () => {
  it.each([
    "^[a-z]+$",
    "^\\d{3}-\\d{4}$",
    "^(?:GB|DE)\\d{2}[A-Z0-9]{4,16}$",
    "^acc_[A-Za-z0-9]+_[0-9]+$",
    "^[(+*)]+$",
    "^\\(a\\)+$",
    "^(ab)?c$",
    "",
  ])("finds %o plain", (pattern) => {
    expect(patternDefect(pattern)).toBeUndefined();
  });

  it.each([
    ["^(a+)+$", /repeats a group/],
    ["(a|a)*$", /repeats a group/],
    ["(.*)*x", /repeats a group/],
    ["(?:ab){2,}", /repeats a group/],
    ["a*b*c*d", /more than 2/],
    ["a{0,500}b{0,500}c{0,500}", /more than 2/],
    ["^(?!a)b", /lookaround/],
    ["(?<=a)b", /lookaround/],
    ["(a)\\1", /backreference/],
    ["(?<x>a)\\k<x>", /backreference/],
    ["(", /is none/],
  ])("refuses %o", (pattern, reason) => {
    expect(patternDefect(pattern)).toMatch(reason);
  });
});

describe("createPlainPattern", () => {
  it("tests texts up to its bound, and no longer ones", () => {
    const { test } = createPlainPattern("^a+$");
    expect([test("aa"), test("ab"), test("a".repeat(2_000))]).toEqual([true, false, true]);
    expect(test("a".repeat(2_001))).toBe(false);
  });

  it("throws for a pattern that is not plain", () => {
    expect(() => createPlainPattern("^(a+)+$")).toThrow(/repeats a group/);
  });
});
