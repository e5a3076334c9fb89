import { deepEqual, equal, ok } from "node:assert/strict";
import { toPipeReply } from "@toolrail/core/pipe";
import { callKeys } from "../world/ledger.ts";
import type { PipeEnd } from "./pipe-case.ts";

const OF_ONE_RUN = new Set(["callId", "runId", "pipeId", "causedBy"]);

/** A result without the ids of its run. */
function withoutIds(value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value, (key, inner) => (OF_ONE_RUN.has(key) ? "" : inner));
  return JSON.parse(text);
}

/** Throws where a pipe came to something else than in the core, or made other calls. */
export function comparePipes(actual: PipeEnd, expected: PipeEnd): void {
  equal(actual.refusal, expected.refusal);
  deepEqual(withoutIds(actual.result), withoutIds(expected.result));
  const { crashes } = actual.ledger;
  const calls = callKeys(actual.ledger);
  deepEqual(crashes === 0 ? calls : [...new Set(calls)], callKeys(expected.ledger));
  if (crashes > 0) return;
  deepEqual(actual.ledger.approved.toSorted(), expected.ledger.approved.toSorted());
  deepEqual(actual.ledger.rejected.toSorted(), expected.ledger.rejected.toSorted());
}

/** Throws where a model read something else than the small reply of this very result. */
export function checkReply({ reply = "", result, refusal }: PipeEnd): void {
  if (result) deepEqual(JSON.parse(reply), withoutIds(toPipeReply(result)));
  else ok(reply.includes(JSON.stringify(refusal).slice(1, 200)), `It read: ${reply}`);
}
