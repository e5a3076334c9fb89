import fc from "fast-check";
import { expect, it } from "vitest";
import { createHashFilter } from "../../src/source/hash-filter.ts";

it("A filter holds every hash that was added, however often it has grown.", () => {
  const lists = fc.array(fc.array(fc.integer(), { maxLength: 2_000 }), { maxLength: 20 });
  fc.assert(
    fc.property(lists, (given) => {
      const filter = createHashFilter();
      const added: Int32Array[] = [];
      for (const hashes of given) {
        added.push(Int32Array.from(hashes));
        filter.add(Int32Array.from(hashes), () => added);
      }
      expect(given.flat().every((hash) => filter.mayHold(hash))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("A filter refuses most hashes that were never added.", () => {
  const filter = createHashFilter();
  const hashes = Int32Array.from({ length: 50_000 }, (_, at) => Math.imul(at, 0x9e3779b1));
  filter.add(hashes, () => [hashes]);
  const others = Array.from({ length: 10_000 }, (_, at) => Math.imul(at + 60_000, 0x9e3779b1));
  expect(others.filter((hash) => filter.mayHold(hash)).length).toBeLessThan(1_500);
});
