import type { CallRequest } from "../call/call-request.ts";
import { ToolrailError } from "../errors.ts";
import { sha256 } from "../hash.ts";
import type { Hop } from "../result/hop.ts";
import { type EndedChain, type EndOfChain, endOfChain } from "./chain-end.ts";
import { callText, type DecideNext, HOP, toRequest } from "./next-hop.ts";
import { type HopTicket, hopId } from "./ticket.ts";

/** What follows from a call: a hop with its ticket, or the end of the chain. */
export type DecidedHop = { readonly type: "call"; readonly ticket: HopTicket } | EndOfChain;

/** Where a call stands: the model's own call, by the framework's id, or a hop with its ticket; and who calls, for rails. */
export type CallPlace = { readonly context?: unknown } & (
  | { readonly root: string; readonly place?: string | undefined }
  | { readonly ticket: HopTicket }
);

/** What deciding needs of a host. */
export interface DecideParts {
  readonly nextHop: DecideNext;
  checkArguments(request: CallRequest): ToolrailError | undefined;
  readonly ticketTtlMs: number;
  now(): number;
  onEnd(chain: EndedChain): void;
}

/** What follows from a call or its error, for frameworks that make each hop a call of their own and keep its ticket. */
export async function decideHop(
  parts: DecideParts,
  outcome: Hop | ToolrailError,
  place: CallPlace,
): Promise<DecidedHop> {
  const before = "ticket" in place ? place.ticket : undefined;
  const seen = before?.seen ?? [];
  if (ToolrailError.isInstance(outcome)) {
    const end = endOfChain(outcome, before?.call);
    if (before) parts.onEnd({ ...end, runId: before.runId, hops: seen.length });
    return end;
  }
  const { runId, callId } = outcome;
  const asked = await parts.nextHop(outcome, seen, place);
  const defect = asked.type === "call" ? parts.checkArguments(toRequest(asked.call)) : undefined;
  const next = asked.type === "call" && defect ? endOfChain(defect, asked.call) : asked;
  if (next.type === "end") {
    parts.onEnd({ ...next, runId, hops: seen.length + 1 });
    return next;
  }
  const { call } = next;
  const { root, place: at = runId } = "ticket" in place ? place.ticket : place;
  const expiresAtMs = parts.now() + parts.ticketTtlMs;
  // A hash of each call: what is kept over a pause holds no arguments twice.
  const calls = [...seen, await sha256(callText(outcome))];
  const own = { id: hopId(callId), runId, root, place: at + HOP, call, seen: calls, expiresAtMs };
  return { type: "call", ticket: own };
}
