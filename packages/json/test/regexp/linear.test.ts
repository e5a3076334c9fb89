import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLinearRegExp } from "../../src/regexp/linear.ts";

const EMAIL =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";

describe("createLinearRegExp", () => {
  it.each([
    "^(a+)+$",
    "(a|a)*$",
    "(.*)*x",
    "^\\d{3}-\\d{4}$",
    "^[\\w.-]+$",
    "^(?:ab|c)$|^x",
    "^(?=a|b)[ab]+$",
    "^(?!ab)(?=.*c)a",
    "^(?![(|)])a",
    "^(?!\\))a",
    EMAIL,
  ])("It agrees with the built-in engine on %s.", (pattern) => {
    const ours = createLinearRegExp(pattern);
    const theirs = new RegExp(pattern, "u");
    const text = fc.string({ unit: fc.constantFrom(..."abc(.@x1-"), maxLength: 12 });
    fc.assert(
      fc.property(text, (value) => {
        expect(ours.test(value)).toBe(theirs.test(value));
      }),
      { numRuns: 300 },
    );
  });

  it("It answers in linear time where the built-in engine never would.", () => {
    expect(createLinearRegExp("^(a+)+$").test(`${"a".repeat(100_000)}!`)).toBe(false);
  });

  it.each(["(a)\\1", "a(?=b)", "(?<=a)b", "^(?!a)b|c", "(", "((a{100}){100}){100}", "\\Qa\\E"])(
    "The pattern %s is refused.",
    (pattern) => {
      expect(() => createLinearRegExp(pattern)).toThrow();
    },
  );
});
