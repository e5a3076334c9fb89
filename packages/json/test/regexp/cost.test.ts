import { describe, expect, it } from "vitest";
import { patternCost, patternSteps } from "../../src/regexp/cost.ts";

describe("patternCost", () => {
  it.each([
    ["^abc$", { size: 5, ways: 1, degree: 0 }],
    ["^[(+*)]\\(\\p{L}{3}$", { size: 8, ways: 1, degree: 0 }],
    ["^(?:GB|DE)\\d{2}[A-Z0-9]{4,16}$", { size: 26, ways: 26, degree: 0 }],
    ["^a+b*?$", { size: 6, ways: 1, degree: 2 }],
    ["^(?:ab)*$", { size: 5, ways: 1, degree: 1 }],
    ["^(?:a|b){3}$", { size: 9, ways: 8, degree: 0 }],
    ["^(?=a|b)a?$", { size: 6, ways: 4, degree: 0 }],
    ["^(a)\\1$", { size: 4, ways: 1, degree: 1 }],
    ["^a{2,}$", { size: 5, ways: 1, degree: 1 }],
    ["abc", { size: 3, ways: 1, degree: 1 }],
    ["^a|b", { size: 3, ways: 2, degree: 1 }],
  ])("The cost of %s is counted.", (pattern, cost) => {
    expect(patternCost(pattern)).toEqual(cost);
  });

  it.each(["(a+)+$", "(a|a)*$", "(.*)*x", "^(a?)*$", "^([a-z]+-)*$"])(
    "A backtracking engine may try %s in any number of ways.",
    (pattern) => {
      expect(patternCost(pattern).ways).toBe(Number.POSITIVE_INFINITY);
    },
  );

  it.each([
    ["a product of repeats", "((a{100}){100}){100}"],
    ["a product of repeats of nothing", "(((){100}){100}){100}"],
    ["a long row of repeats", "[ab]{1000}".repeat(6)],
    ["a repeat without end that begins late", "a{6000,}"],
  ])("A pattern with %s is refused.", (_, pattern) => {
    expect(() => patternCost(pattern)).toThrow(/over 5000 parts/);
  });

  it("A pattern of 200,000 unclosed brackets is refused at once, in a short message.", () => {
    expect(() => patternCost("[".repeat(200_000))).toThrow(/^The pattern .{100} is longer than/);
  });
});

describe("patternSteps", () => {
  it.each([
    ["^[a-z]+$", 400],
    ["^(?:GB|DE)\\d{2}$", 18],
    ["a+$", 30_000],
    ["", 0],
  ])("The pattern %o takes at most %i steps for 100 characters.", (pattern, steps) => {
    expect(patternSteps(pattern)(100)).toBe(steps);
  });

  it.each(["^(ab)?c$", "^(?!a)b", "^(?:ab){2,}$", "^[^@]+@[^@]+$"])(
    "The pattern %o is let through.",
    (pattern) => {
      expect(() => patternSteps(pattern)).not.toThrow();
    },
  );

  it.each([
    ["^(a+)+$", /too many ways/],
    ["(a|a)*$", /too many ways/],
    ["(.*)*x", /too many ways/],
    ["^a*b*c*d", /too many ways/],
    ["a*b*", /too many ways/],
    [`^${"(?:a|a)".repeat(20)}$`, /too many ways/],
    [`^${"a?".repeat(20)}$`, /too many ways/],
    [`^${"a{0,16}".repeat(6)}b`, /too many ways/],
    ["^((a{10}){10}){100}$", /over 5000 parts/],
    [`(?:){0,${"9".repeat(400)}}(a+)+$`, /too many ways/],
    ["(", /Invalid regular expression/],
  ])("The pattern %o is refused.", (pattern, reason) => {
    expect(() => patternSteps(pattern)).toThrow(reason);
  });
});
