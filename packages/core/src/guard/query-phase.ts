import { isJsonObject } from "../json.ts";
import type { PendingCall } from "../result/chain-result.ts";

/** Where a query stands. `refusals` counts the calls that were refused so far. */
export type QueryPhase =
  /** No call was made yet. */
  | { readonly type: "open"; readonly refusals: number }
  /** A call waits for a person. */
  | { readonly type: "pending"; readonly refusals: number; readonly call: PendingCall }
  /** No call will be made any more. */
  | { readonly type: "spent" };

/** SHA-256 of tool definitions, by `server.tool`. */
export type ToolHashes = { readonly [tool: string]: string };

/** A query as it is kept over a pause. Plain JSON. */
export interface QueryState {
  readonly id: string;
  readonly phase: QueryPhase;
  /** The tools as they were when the query began. */
  readonly tools?: ToolHashes;
}

/** The refusal that ends a query, counted from 1. */
export const MAX_REFUSALS = 3;

/** The state of a query that begins, under an id of your own: runs that share it share one call. */
export function openQuery(id: string): QueryState {
  return { id, phase: { type: "open", refusals: 0 } };
}

/** The state of a query that may call nothing. */
export function shutQuery(id = ""): QueryState {
  return { id, phase: { type: "spent" } };
}

/** The phase of a state that was kept. Where part of it was lost the query is spent. */
export function phaseOf({ phase, tools }: QueryState): QueryPhase {
  const refusals = isJsonObject(phase) && "refusals" in phase ? phase.refusals : -1;
  const isCounted = Number.isSafeInteger(refusals) && refusals >= 0;
  const isWaiting = phase?.type === "pending" && isJsonObject(phase.call) && isJsonObject(tools);
  const isKnown = isCounted && (phase.type === "open" || isWaiting);
  return isKnown ? phase : { type: "spent" };
}
