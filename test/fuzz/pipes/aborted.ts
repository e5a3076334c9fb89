import { equal } from "node:assert/strict";
import fc from "fast-check";
import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { abortAt } from "../abort.ts";
import { count, define } from "../property.ts";
import { checkLedger } from "../world/check-ledger.ts";
import { runInAGraph } from "./in-a-graph.ts";
import { runInTheCore } from "./in-the-core.ts";
import { runInTheSdk } from "./of-a-model.ts";
import { pipeCases } from "./pipe-case.ts";

/** A run of a pipe, aborted when a call reaches its server. */
export const abortedPipes = define({
  name: "A pipe that is aborted makes no further call, wherever it runs.",
  input: fc.record({ given: pipeCases, nth: fc.integer({ min: 1, max: 6 }) }),
  async check({ given, nth }, tally) {
    const ledgers = [
      await abortAt(nth, async (aborting) => {
        const { result } = await runInTheCore(given, { hasPerson: true, ...aborting });
        if (aborting.ledger.isAborted) equal(result?.ok, false);
      }),
      await abortAt(nth, (aborting) => runInAGraph(given, aborting)),
      await abortAt(nth, (aborting) => runInTheSdk(given, majorNamed("ai 7"), aborting)),
      await abortAt(nth, (aborting) => runInTheSdk(given, majorNamed("ai 6"), aborting)),
    ];
    for (const ledger of ledgers) checkLedger(given.world, ledger);
    count(tally, {
      calls: ledgers.flatMap(({ calls }) => calls).length,
      aborts: ledgers.filter(({ isAborted }) => isAborted).length,
    });
  },
});
