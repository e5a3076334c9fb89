import fc from "fast-check";
import { expect, it } from "vitest";
import { createHashFilter } from "../../src/sources/index-text.ts";

it("A filter holds every hash that it was made of.", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 2_000 }), (hashes) => {
      expect(hashes.every(createHashFilter(hashes))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("A filter refuses nearly all other hashes.", () => {
  const hashes = Array.from({ length: 90_000 }, (_, at) => Math.imul(at, 0x9e3779b1));
  const mayHold = createHashFilter(hashes.slice(0, 50_000));
  expect(hashes.slice(50_000).filter(mayHold).length).toBeLessThan(80);
});
