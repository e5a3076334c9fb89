import { describe, expect, it } from "vitest";
import { chainProperties } from "./chains/properties.ts";
import { pipeProperties } from "./pipes/properties.ts";
import { runProperty, type Tally } from "./property.ts";

/** The long run, with other seeds, is `npm run fuzz`. */
const RUNS = { seed: 20, numRuns: 10 };

describe.each([
  ["any pipe", pipeProperties],
  ["any chains", chainProperties],
])("%s", (_, properties) => {
  it.each(properties)("$name", async (property) => {
    const tally: Tally = {};
    const { failed, counterexamplePath, errorInstance } = await runProperty(property, {
      ...RUNS,
      tally,
    });
    if (failed) throw new Error(`Path ${counterexamplePath}`, { cause: errorInstance });
    expect(tally.calls).toBeGreaterThan(5);
  });
});
