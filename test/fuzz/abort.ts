import { setImmediate } from "node:timers/promises";
import { createLedger, type Ledger } from "./world/ledger.ts";

/** What a run is handed that is aborted in the middle. */
export interface Aborting {
  readonly ledger: Ledger;
  readonly signal: AbortSignal;
  onCall(): void;
}

/** Aborts a run at its n-th call, and waits for all that still comes: the ledger notes every call after the abort. */
export async function abortAt(
  nth: number,
  run: (aborting: Aborting) => Promise<unknown>,
): Promise<Ledger> {
  const ledger = createLedger();
  const aborter = new AbortController();
  const onCall = () => {
    if (ledger.calls.length !== nth) return;
    ledger.isAborted = true;
    aborter.abort(new Error("The user went away."));
  };
  await run({ ledger, signal: aborter.signal, onCall }).catch((error: unknown) => {
    if (!ledger.isAborted) throw error;
  });
  for (let turns = 0; turns < 20; turns++) await setImmediate();
  return ledger;
}
