import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  holds,
  holdsPassage,
  indexText,
  type Section,
  toNeedle,
} from "../../src/sources/index-text.ts";
import { joinGroups, normalizeText } from "../../src/sources/normalize-text.ts";
import { createPace } from "../../src/sources/pace.ts";
import { winnow } from "../../src/sources/winnow.ts";

const text = fc.stringMatching(/^[ab1 .é北-]{0,60}$/);

/** What `holds` means, without an index. */
function naive(said: string, value: string): boolean {
  const edges = (inside: string, one: string) => {
    const isWord = (char = " ") => /[a-z0-9_é]/.test(char);
    for (let at = 0; at + one.length <= inside.length; at++) {
      if (inside.slice(at, at + one.length) !== one) continue;
      const before = isWord(inside[at - 1]) && isWord(one[0]);
      if (!before && !(isWord(one.at(-1)) && isWord(inside[at + one.length]))) return true;
    }
    return false;
  };
  if (!/[ab1é北]/.test(value)) return false;
  const forms = [value, joinGroups(value)];
  return forms.some((form) => edges(said, form) || edges(joinGroups(said), form));
}

/** The only section of a short text. */
async function indexOne(raw: string): Promise<Section> {
  const [section, ...more] = await indexText(raw, createPace());
  if (!section || more.length > 0) throw new Error("There is one section.");
  return section;
}

describe("an indexed text", () => {
  it("holds what a search in the text finds, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (raw, other) => {
        const said = normalizeText(raw);
        const section = await indexOne(raw);
        for (const value of [normalizeText(other), said.slice(3, 9).trim(), said]) {
          expect(holds(section, toNeedle(value))).toBe(value !== "" && naive(said, value));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("holds every passage of 31 characters, wherever it was cut, and none of 30 or fewer alone", async () => {
    const long = fc.stringMatching(/^[a-z ]{40,120}$/);
    await fc.assert(
      fc.asyncProperty(
        long,
        long,
        fc.nat(40),
        fc.integer({ min: 31, max: 60 }),
        async (said, other, at, length) => {
          const cut = normalizeText(said).slice(at, at + length);
          const value = `${normalizeText(other)}#${cut}#`;
          const found = { value, runs: winnow(value), isKnown: () => false };
          const isLong = cut.length >= 31;
          if (isLong) expect(holdsPassage(await indexOne(said), found)).toBe(true);
        },
      ),
    );
    const value = "0123456789 abcdefghij KLMNOPQRS".toLowerCase().slice(0, 30);
    const found = { value, runs: winnow(`${value}##########`), isKnown: () => false };
    expect(holdsPassage(await indexOne(`${value} and more`), found)).toBe(false);
  });
});
