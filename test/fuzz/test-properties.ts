import { afterAll, describe, expect, it } from "vitest";
import { restoreClock } from "../../packages/core/test/replace-clock.ts";
import { chainProperties } from "./chains/properties.ts";
import { pipeProperties } from "./pipes/properties.ts";
import { runProperty, type Tally } from "./property.ts";

/** Tests of each property with so many inputs, which follow from the seed. */
export function testProperties(runs: { readonly seed: number; readonly numRuns: number }): void {
  afterAll(restoreClock); // That of a world stands still.
  describe.each([
    ["any pipe", pipeProperties],
    ["any chains", chainProperties],
  ])("%s", (_, properties) => {
    it.each(properties)("$name", async (property) => {
      const tally: Tally = {};
      const { failed, counterexamplePath, errorInstance } = await runProperty(property, {
        ...runs,
        tally,
      });
      if (failed) throw new Error(`Path ${counterexamplePath}`, { cause: errorInstance });
      expect(tally.calls).toBeGreaterThan(5);
    });
  });
}
