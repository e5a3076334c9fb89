import type { JsonObject } from "@toolrail/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin, parsePath, readPath } from "../../../json/src/path.ts";
import { argumentLeaves } from "../../src/sources/argument-leaves.ts";

const KEY = fc.oneof(fc.constantFrom("a", "0", "a.0", "a[0]", "", "b c"), fc.string());
const { args } = fc.letrec<{ args: JsonObject; value: unknown }>((tie) => ({
  args: fc.dictionary(KEY, tie("value"), { maxKeys: 4 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constant("leaf"),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("args"),
  ),
}));

describe("the path of an argument", () => {
  it("is that of no other, whatever the keys are", () => {
    fc.assert(
      fc.property(args, (given) => {
        const paths = argumentLeaves(given).map(({ path }) => path);
        expect(new Set(paths).size).toBe(paths.length);
      }),
    );
  });

  it("leads to it, whatever the keys are", () => {
    fc.assert(
      fc.property(args, (given) => {
        for (const { path } of argumentLeaves(given)) {
          if (path.endsWith(" (name)")) continue;
          const reading = readPath(given, { keys: parsePath(path) });
          expect(reading).toEqual({ found: true, value: "leaf" });
        }
      }),
    );
  });

  it.each([
    ["to", "to", true],
    ["to.0", "to", true],
    ['to["a.b"]', "to", true],
    ["to.0", "", true],
    ["total", "to", false],
    ['["to.0"]', "to", false],
    ["to", "to.0", false],
  ])("%s is within %s: %s", (path, part, isIn) => {
    expect(isWithin(path, part)).toBe(isIn);
  });
});
