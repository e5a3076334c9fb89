import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddress, toAddressId } from "../../src/references/kept-results.ts";

describe("an address", () => {
  it.each([
    ["k4f9b2.structured.rows.0.url", ["structured", "rows", "0", "url"]],
    ["k4f9b2.structured.rows[0].url", ["structured", "rows", "0", "url"]],
    ['k4f9b2.structured["a.b"].c', ["structured", "a.b", "c"]],
    ['k4f9b2.structured.["a.b"]', ["structured", "a.b"]],
    ["k4f9b2", []],
  ])("has the keys of %s", (text, keys) => {
    expect(parseAddress(text)?.keys).toEqual(keys);
  });

  it.each([
    ["a longer name", "k4f9b2x.text"],
    ["a vowel", "k4f9a2.text"],
    ["an empty part", "k4f9b2..text"],
    ["a bracket that is left open", "k4f9b2.structured[0"],
    ["17 parts", `k4f9b2${".a".repeat(17)}`],
    ["more than 300 characters", `k4f9b2.${"a".repeat(300)}`],
    ["words around it", "see k4f9b2.text"],
  ])("is not read in %s", (_, text) => {
    expect(parseAddress(text)).toBeUndefined();
  });

  it("has at most 300 characters", () => {
    expect(parseAddress("k4f9b2.".padEnd(300, "a"))?.keys).toHaveLength(1);
    expect(parseAddress("k4f9b2.".padEnd(301, "a"))).toBeUndefined();
  });

  it("has an id that reads back, whatever hash it is made of", () => {
    const hex = fc.string({
      unit: fc.constantFrom(..."0123456789abcdef"),
      minLength: 64,
      maxLength: 64,
    });
    fc.assert(
      fc.property(hex, (hash) => {
        const id = toAddressId(hash);
        return parseAddress(`${id}.text`)?.id === id;
      }),
    );
  });
});
