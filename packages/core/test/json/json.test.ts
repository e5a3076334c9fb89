import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  copyJson,
  isJsonObject,
  measure,
  parseJsonText,
  wellFormed,
} from "../../src/json/json.ts";
import { hasHiddenText, plainLine, plainText } from "../../src/json/plain-text.ts";

const WIDE = { maxBytes: 1_000_000, maxDepth: 64 };

/** The same value with the keys of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe("isJsonObject", () => {
  it("An object of another realm, as of a worker or a test runner, is a JSON object.", () => {
    expect(isJsonObject(runInNewContext("({ a: 1 })"))).toBe(true);
    expect(isJsonObject(runInNewContext("[1]"))).toBe(false);
    expect(isJsonObject(runInNewContext("new Date()"))).toBe(false);
  });

  it.each([[{}], [{ a: 1 }], [Object.create(null)]])("%o is a JSON object.", (value) => {
    expect(isJsonObject(value)).toBe(true);
  });

  it.each([[null], [[]], ["{}"], [1], [new Date()], [new Map()], [undefined]])(
    "%o is no JSON object.",
    (value) => {
      expect(isJsonObject(value)).toBe(false);
    },
  );
});

describe("canonicalJson", () => {
  it("Canonical JSON does not depend on the order of keys.", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it("Canonical JSON is the JSON of the same value.", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("Canonical JSON keeps the order of lists.", () => {
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
  });
});

describe("measure", () => {
  it("Small JSON values are within bounds, and measuring never throws.", () => {
    const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("proto"));
    fc.assert(
      fc.property(json, (value) => {
        expect(measure(value, WIDE)).toBeUndefined();
      }),
    );
  });

  it("A value that is larger than the limit is refused, by the length of its texts.", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }), (text) => {
        expect(measure([text], { maxBytes: text.length, maxDepth: 9 })).toMatch(/larger than/);
        expect(measure([text], { maxBytes: text.length + 9, maxDepth: 9 })).toBeUndefined();
      }),
    );
  });

  it("Short texts count in sum.", () => {
    const texts = new Array(20).fill("x".repeat(45));
    expect(measure(texts, { maxBytes: 900, maxDepth: 9 })).toMatch(/larger than 900 bytes/);
    expect(measure(texts, { maxBytes: 1_000, maxDepth: 9 })).toBeUndefined();
  });

  it("The keys of objects count.", () => {
    const value = { ["k".repeat(100)]: 1 };
    expect(measure(value, { maxBytes: 50, maxDepth: 9 })).toMatch(/larger than 50 bytes/);
  });

  it("A long list is refused before its items are looked at.", () => {
    expect(measure(new Array(1_000), { maxBytes: 999, maxDepth: 9 })).toMatch(/larger/);
  });

  it("The deepest level is allowed, and the next is refused.", () => {
    const nest = (levels: number): unknown => (levels === 0 ? 1 : [nest(levels - 1)]);
    expect(measure(nest(9), { ...WIDE, maxDepth: 9 })).toBeUndefined();
    expect(measure(nest(10), { ...WIDE, maxDepth: 9 })).toMatch(/deeper than 9/);
  });

  it("A value of 100,000 levels is refused, and one that contains itself.", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(measure(deep, WIDE)).toMatch(/deeper/);
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    expect(measure(loop, WIDE)).toMatch(/deeper/);
  });

  it.each([
    [Number.NaN, /number/],
    [Number.POSITIVE_INFINITY, /number/],
    [1n, /bigint/],
    [() => 1, /function/],
    [Symbol("s"), /symbol/],
  ])("%s, which JSON cannot write, is refused.", (value, reason) => {
    expect(measure({ value }, WIDE)).toMatch(reason);
  });
});

describe("a copy", () => {
  const given = JSON.parse('{"a\\ud83d":["\\udc00b","\\ud83d\\ude00"],"__proto__":{"x":null}}');
  const whole = JSON.parse('{"a\ufffd":["\ufffdb","\ud83d\ude00"],"__proto__":{"x":null}}');

  it.each([
    ["wellFormed", wellFormed],
    ["copyJson", copyJson],
  ])("has by %s whole characters alone, in keys too, and no other members.", (_, copy) => {
    const text = JSON.stringify(copy(given));
    expect(text).toBe(JSON.stringify(whole));
    expect(Object.getPrototypeOf(copy(given))).toBe(Object.prototype);
  });

  it("is frozen at every level by copyJson.", () => {
    const copy = copyJson({ a: [{ b: 1 }] });
    expect([copy, copy.a, copy.a[0]].every(Object.isFrozen)).toBe(true);
  });
});

describe("a key that can reach a prototype", () => {
  it.each([
    ["__proto__", '{"a":[{"__proto__":{"x":1}}]}'],
    ["__proto__", '{"a":{"__proto__":1}}'],
    ["prototype", '{"a":{"constructor":{"prototype":{"x":1}}}}'],
  ])("is refused: %s in %s.", (key, text) => {
    expect(measure(JSON.parse(text), WIDE)).toContain(`contains the key ${key}`);
    expect(measure([{ before: undefined, it: JSON.parse(text) }], WIDE)).toBeDefined();
  });

  it("is none if the words stand for something harmless.", () => {
    expect(measure({ constructor: "ACME", prototype: "mark 2" }, WIDE)).toBeUndefined();
    expect(measure({ constructor: [{ prototype: 1 }] }, WIDE)).toBeUndefined();
    expect(measure([null, 1, "__proto__"], WIDE)).toBeUndefined();
  });
});

describe("a text from outside", () => {
  it("is read as JSON up to 64 levels, and refused beyond them with the reason.", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(parseJsonText(nested(64))).toBeDefined();
    for (const levels of [65, 100_000]) {
      expect(() => parseJsonText(nested(levels))).toThrow(/deeper than 64 levels|not JSON/);
    }
  });
});

describe("plainText", () => {
  it.each([
    ["a zero-width space", "a\u200bb", "a\\u200bb"],
    ["a tag character", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a character that turns the text", "a\u202eb", "a\\u202eb"],
    ["a return without a new line", "a\rb", "a\\u000db"],
    [
      "joiners and variation selectors in turn, which write bits",
      "a\ufe00\u200d\ufe01\u200db",
      "a\\ufe00\\u200d\\ufe01\\u200db",
    ],
    ["several joiners", "a\u200d\u200c\u200db", "a\\u200d\\u200c\\u200db"],
  ])("Everything hidden becomes its code: %s.", (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
    expect(hasHiddenText(text)).toBe(true);
    expect(hasHiddenText(plain)).toBe(false);
  });

  it.each(["a\tb\nc", "👩‍👧 and ❤️ and ❤️‍🔥", "می‌خواهم"])(
    "What scripts and emoji need stays: %j.",
    (text) => {
      expect(plainText(text)).toBe(text);
      expect(hasHiddenText(`${text}\r\n`)).toBe(false);
    },
  );

  it("A text in one line has no line break of any kind.", () => {
    expect(plainLine("a\nb\u2028c\u2029d")).toBe("a\\u000ab\\u2028c\\u2029d");
  });
});
