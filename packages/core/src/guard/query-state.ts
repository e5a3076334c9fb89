import type { PendingCall } from "../chain/chain-result.ts";
import { isJsonObject } from "../json.ts";

/** Where a query stands. Plain JSON, to be kept over a pause. */
export interface QueryState {
  readonly id: string;
  /** `open`: no call yet. `pending`: a call waits for approval. `spent`: no call will be made. */
  readonly phase: "open" | "pending" | "spent";
  readonly refusals: number;
  /** With `pending`: the call that is put to the person. */
  readonly pending?: PendingCall;
  /** SHA-256 of the tools as they were when the query began, by `server.tool`. */
  readonly tools?: { readonly [tool: string]: string };
}

/** Whoever kept the state may have lost part of it: then no call is made. */
export function isQueryState({ phase, pending, refusals, tools }: QueryState): boolean {
  if (!Number.isSafeInteger(refusals) || refusals < 0) return false;
  if (phase === "pending") return isJsonObject(pending) && isJsonObject(tools);
  return phase === "open" || phase === "spent";
}
