import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPattern } from "../../src/json/pattern.ts";

const EMAIL =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";

/** Characters that engines treat in different ways. */
const ODD = [
  ..."a1_-.[]:b\\/ \t\n\v\f\r\0",
  ..."\u0085\u00a0\u1680\u180e\u2000\u200b\u2028\u2029\u202f\u205f\u3000\ufeff",
  ...["é", "😀", "\ud83d", "\udc00"],
];

describe("createPattern", () => {
  it.each([
    ...["^(a+)+$", "(a|a)*$", "(.*)*x", "^\\d{3}-\\d{4}$", "^[\\w.-]+$", "^(?:ab|c)$|^x"],
    ...["^(?=a|b)[ab]+$", "^(?!ab)(?=.*c)a", "^(?![(|)])a", "^(?!\\))a", "^(?<näme>a)b$", EMAIL],
  ])("It agrees with the built-in engine on %s.", (pattern) => {
    const ours = createPattern(pattern);
    const theirs = new RegExp(pattern, "u");
    const text = fc.string({ unit: fc.constantFrom(..."abc(.@x1-"), maxLength: 12 });
    fc.assert(
      fc.property(text, (value) => {
        expect(ours.test(value)).toBe(theirs.test(value));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ...["^\\S+$", "^\\s$", "^[^\\s]+$", "^[\\S]$", "^[\\s\\d]$", "^.$", "^[.]$", "^\\v$", "\\bb"],
    ...["^[[:alph]$", "^[[:a]$", "^\\cJ$", "^\\0$", "^\\ud83d\\ude00$", "^[\\ud83d\\ude00]$"],
    ...[
      "^\\u{1F600}$",
      "^\\ud83d$",
      "^\\u2028$",
      "^\\x85$",
      "^\\p{L}$",
      "^\\P{L}$",
      "^[\\p{Script=Latin}]$",
    ],
    ...["^[\\]\\[]$", "^[\\\\-\\]]$", "^[a-]$", "^\\/$", "^[^.]$", "a$"],
  ])("Each character means in %s what it means in ECMA-262.", (pattern) => {
    const ours = createPattern(pattern);
    const theirs = new RegExp(pattern, "u");
    for (const one of [...ODD, ...ODD.flatMap((a) => ODD.map((b) => a + b))]) {
      expect(ours.test(one), JSON.stringify(one)).toBe(theirs.test(one));
    }
  });

  it("It agrees with the built-in engine on any pattern that it compiles.", () => {
    const inClass = fc.constantFrom(
      ...["\\s", "\\S", "\\d", "\\W", ".", "a", "[", "a-z", "\\-", "\\b", "\\]", "^", ":", "&&"],
      ...["\\p{L}", "\\u2028", "\\v", "\\ud83d\\ude00", "😀", "-", "\\n"],
    );
    const classes = fc
      .tuple(fc.constantFrom("[", "[^"), fc.array(inClass, { maxLength: 3 }))
      .map(([opening, inner]) => `${opening}${inner.join("")}]`);
    const atom = fc.oneof(
      fc.constantFrom(
        ...["a", "b", ".", "\\s", "\\S", "\\w", "\\D", "^", "$", "\\b", "\\B", "\\.", "\\v"],
      ),
      classes,
    );
    const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        atom,
        fc.tuple(tie("pattern"), tie("pattern")).map((parts) => parts.join("")),
        fc.tuple(tie("pattern"), tie("pattern")).map((parts) => `(?:${parts.join("|")})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "*?", "+?"))
          .map(([inner, repeat]) => `(${inner})${repeat}`),
        tie("pattern").map((inner) => `^(?!${inner})`),
      ),
    }));
    const texts = fc.array(
      fc.array(fc.constantFrom(...ODD), { maxLength: 5 }).map((all) => all.join("")),
      {
        minLength: 10,
        maxLength: 10,
      },
    );
    let compared = 0;
    fc.assert(
      fc.property(patterns, texts, (pattern, values) => {
        let ours: ReturnType<typeof createPattern>;
        try {
          ours = createPattern(pattern);
        } catch {
          return;
        }
        compared++;
        const theirs = new RegExp(pattern, "u");
        for (const value of values) {
          expect(ours.test(value), JSON.stringify([pattern, value])).toBe(theirs.test(value));
        }
      }),
      { numRuns: 800, seed: 1 }, // On some random patterns the built-in engine never ends.
    );
    expect(compared).toBeGreaterThan(300);
  });

  it("It answers in linear time where the built-in engine never would.", () => {
    expect(createPattern("^(a+)+$").test(`${"a".repeat(100_000)}!`)).toBe(false);
  });

  it.each([
    ...["(a)\\1", "a(?=b)", "(?<=a)b", "^(?!a)b|c", "((a{100}){100}){100}", "(?i:a)", "(?s:.)"],
    ...[
      "(",
      "\\Qa\\E",
      "(?i)a",
      "(?s)a",
      "(?P<a>b)",
      "a\\z",
      "\\pL",
      "[[:alpha:]]",
      "a{,2}",
      "\\-",
      "]",
      "{",
    ],
    ...["a*+", "\\C", "\\a", "x{1001}", "[\\b]"],
  ])("The pattern %s is refused.", (pattern) => {
    expect(() => createPattern(pattern)).toThrow();
  });

  it("A pattern of 200,000 unclosed brackets is refused at once, in a short message.", () => {
    expect(() => createPattern("[".repeat(200_000))).toThrow(/^The pattern .{102} is longer than/);
  });
});
