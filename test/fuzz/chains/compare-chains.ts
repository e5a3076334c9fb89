import { deepEqual } from "node:assert/strict";
import { callKey, callKeys } from "../world/ledger.ts";
import type { ChainCase, ChainsEnd } from "./chain-case.ts";
import { foresee } from "./foresee.ts";

/** Throws where chains made other calls, or in another order, than their plans say, or ended otherwise. */
export function compareWithPlan({ world, starts }: ChainCase, { ledger, chains }: ChainsEnd): void {
  for (const [at, start] of starts.entries()) {
    const { made, ended } = foresee(world, start);
    const root = String(start.arguments.at);
    const own = ledger.calls.filter((call) => String(call.arguments.at).split(">")[0] === root);
    const calls = [...new Set(own.map(callKey))];
    deepEqual(calls, made);
    const actual = chains[at]?.ended;
    if (actual) deepEqual(actual, ended);
  }
}

/** Throws where a model read something else than in the core. */
export function compareReading(actual: ChainsEnd, expected: ChainsEnd): void {
  deepEqual(
    actual.chains.map(({ isError, read }) => ({ isError, read })),
    expected.chains.map(({ isError, read }) => ({ isError, read })),
  );
  if (actual.ledger.crashes > 0) return;
  deepEqual(callKeys(actual.ledger), callKeys(expected.ledger));
  deepEqual(actual.ledger.approved.toSorted(), expected.ledger.approved.toSorted());
  deepEqual(actual.ledger.rejected.toSorted(), expected.ledger.rejected.toSorted());
}
