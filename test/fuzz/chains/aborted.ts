import fc from "fast-check";
import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { abortAt } from "../abort.ts";
import { count, define } from "../property.ts";
import { checkLedger } from "../world/check-ledger.ts";
import { chainCases } from "./chain-case.ts";
import { chainInAGraph } from "./in-a-graph.ts";
import { chainInTheCore } from "./in-the-core.ts";
import { chainInSteps } from "./in-the-sdk.ts";

/** Chains of one turn, aborted when a call reaches its server. */
export const abortedChains = define({
  name: "Chains that are aborted make no further call, wherever they run.",
  input: fc.record({
    given: chainCases,
    nth: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom("inside", "middleware", "node"),
  }),
  async check({ given, nth, kind }, tally) {
    const ledgers = [
      await abortAt(nth, (aborting) => chainInTheCore(given, aborting)),
      await abortAt(nth, (aborting) => chainInAGraph(given, kind, aborting)),
      await abortAt(nth, (aborting) => chainInSteps(given, majorNamed("ai 7"), aborting)),
      await abortAt(nth, (aborting) => chainInSteps(given, majorNamed("ai 6"), aborting)),
    ];
    for (const ledger of ledgers) checkLedger(given.world, ledger);
    count(tally, {
      calls: ledgers.flatMap(({ calls }) => calls).length,
      aborts: ledgers.filter(({ isAborted }) => isAborted).length,
    });
  },
});
