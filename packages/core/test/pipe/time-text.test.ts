import fc from "fast-check";
import { expect, it } from "vitest";
import { createTimeText } from "../../src/pipe/time-text.ts";

it("writes each time as a date does, whatever it wrote before", () => {
  const second = fc.integer({ min: 0, max: 253_402_300_798 });
  const within = fc.array(fc.double({ min: 0, max: 2_000, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(second, within, (start, offsets) => {
      const toText = createTimeText();
      for (const offset of offsets) {
        const ms = start * 1_000 + offset;
        expect(toText(ms)).toBe(new Date(ms).toISOString());
      }
    }),
  );
});

it("has no text for what is no time", () => {
  expect(() => createTimeText()(Number.NaN)).toThrow(RangeError);
});
