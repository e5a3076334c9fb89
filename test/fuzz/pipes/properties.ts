import fc from "fast-check";
import { majors } from "../../../packages/ai-sdk/test/majors.ts";
import { crashPlans } from "../graph/crash.ts";
import { count, define, type Tally } from "../property.ts";
import { checkLedger, checkShown } from "../world/check-ledger.ts";
import { abortedPipes } from "./aborted.ts";
import { checkOrder } from "./check-order.ts";
import { checkReply, comparePipes } from "./compare-pipes.ts";
import { runInABareGraph, runInAGraph } from "./in-a-graph.ts";
import { runInTheCore } from "./in-the-core.ts";
import { runInAnAgent, runInTheSdk } from "./of-a-model.ts";
import { type PipeCase, type PipeEnd, pipeCases } from "./pipe-case.ts";

const pauses = { answering: fc.constantFrom("all", "first"), answersTwice: fc.boolean() } as const;
const mayCrash = fc.oneof(fc.constant([]), crashPlans);

function graphAsInTheCore(
  name: string,
  input: fc.Arbitrary<{ readonly given: PipeCase } & Parameters<typeof runInAGraph>[1]>,
) {
  return define({
    name,
    input,
    async check({ given, ...run }, tally) {
      const expected = await runInTheCore(given, { hasPerson: true });
      const actual = await runInAGraph(given, run);
      checkEnds(given, [expected, actual], tally);
      comparePipes(actual, expected);
    },
  });
}

/** What must hold for any pipe in any world. */
export const pipeProperties = [
  graphAsInTheCore(
    "A compiled graph and the core come to the same, with a person's word.",
    fc.record({ given: pipeCases, ...pauses }),
  ),
  graphAsInTheCore(
    "A compiled graph that loses its process comes to the same, and repeats no finished call.",
    fc.record({ given: pipeCases, ...pauses, crashes: crashPlans }),
  ),
  define({
    name: "A model's pipe comes to the same under the AI SDK as in the core.",
    input: pipeCases,
    async check(given, tally) {
      const expected = await runInTheCore(given, { hasPerson: false, author: "model" });
      const ends = await Promise.all(majors.map((major) => runInTheSdk(given, major)));
      checkEnds(given, [expected, ...ends], tally);
      for (const end of ends) {
        comparePipes(end, expected);
        checkReply(end);
      }
    },
  }),
  define({
    name: "A model's pipe in an agent waits for the person, and comes to the same as in the core.",
    input: fc.record({ given: pipeCases, ...pauses, crashes: mayCrash }),
    async check({ given, ...run }, tally) {
      const expected = await runInTheCore(given, { hasPerson: true, author: "model" });
      const end = await runInAnAgent(given, run);
      checkEnds(given, [expected, end], tally);
      comparePipes(end, expected);
      checkReply(end);
    },
  }),
  define({
    name: "A graph without a checkpointer comes to the same as in the core, where nobody is asked.",
    input: pipeCases,
    async check(given, tally) {
      const expected = await runInTheCore(given, { hasPerson: false });
      const actual = await runInABareGraph(given);
      checkEnds(given, [expected, actual], tally);
      // Why nobody can be asked is told in other words, which later steps may be handed.
      if (!JSON.stringify(expected).includes("needs a person's approval"))
        comparePipes(actual, expected);
    },
  }),
  abortedPipes,
];

/** What no pipe may do, wherever it runs. */
function checkEnds({ world, spec }: PipeCase, ends: readonly PipeEnd[], tally: Tally): void {
  count(tally, { specs: 1 });
  for (const { ledger, prompts, refusal } of ends) {
    checkLedger(world, ledger);
    if (ledger.crashes === 0) checkOrder(spec, ledger);
    checkShown(prompts);
    count(tally, {
      runs: 1,
      "refused specs": refusal === undefined ? 0 : 1,
      calls: ledger.calls.length,
      crashes: ledger.crashes,
      resumes: ledger.resumes,
      approved: ledger.approved.length,
      rejected: ledger.rejected.length,
    });
  }
}
