import type { CallRequest } from "../call/call-request.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef } from "../result/hop.ts";
import { chainEndOf } from "./chain-end.ts";
import { type DecideNext, type EndOfChain, hashSeen } from "./next-hop.ts";
import { type HopTicket, hopId } from "./ticket.ts";

/** What follows from a call: a hop with its ticket, or the end of the chain. */
export type DecidedHop = { readonly type: "call"; readonly ticket: HopTicket } | EndOfChain;

/** Where a call stands: the model's own call, by the framework's id, or a hop with its ticket; and who calls, for rails. */
export type CallPlace = { readonly context?: unknown } & (
  | { readonly root: string; readonly place?: string | undefined }
  | { readonly ticket: HopTicket }
);

/** A chain that has ended, and how many calls it made. */
export type EndedChain = Pick<ChainResult, "runId" | "ended" | "error"> & { readonly hops: number };

/** The place of a hop is that of the call before it, and this. */
export const HOP = "#";

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
  const calls = before?.progress.calls ?? 0;
  if (ToolrailError.isInstance(outcome)) {
    const end = endWith(outcome, before?.call);
    if (before) parts.onEnd({ ...end, runId: before.runId, hops: calls });
    return end;
  }
  const { runId, callId } = outcome;
  const asked = await parts.nextHop(outcome, before?.progress, place);
  const defect = asked.type === "call" ? parts.checkArguments(toRequest(asked.call)) : undefined;
  const next = asked.type === "call" && defect ? endWith(defect, asked.call) : asked;
  if (next.type === "end") {
    parts.onEnd({ ...next, runId, hops: calls + 1 });
    return next;
  }
  const { call } = next;
  const progress = await hashSeen(next.progress);
  const { root, place: at = runId } = "ticket" in place ? place.ticket : place;
  const expiresAtMs = parts.now() + parts.ticketTtlMs;
  const ticket = { id: hopId(callId), runId, root, place: at + HOP, call, progress, expiresAtMs };
  return { type: "call", ticket };
}

/** A call that ended in this error; where it waits for a person, with what their yes is bound to. */
export function toPending(call: PendingCall, error: ToolrailError): PendingCall {
  const { binding: _, reason: __, lostAttempts: ___, question: ____, ...rest } = call;
  if (ToolrailError.isInstance(error, "needs-input") && error.data) {
    return { ...rest, question: error.data };
  }
  if (ToolrailError.isInstance(error, "needs-approval")) return { ...rest, ...error.data };
  if (!ToolrailError.isInstance(error, "outcome-unknown")) return rest;
  const { data } = error;
  return data ? { ...rest, binding: data.binding, lostAttempts: data.attempts } : rest;
}

/** The call as the door takes it. */
export function toRequest(call: PendingCall): CallRequest {
  return { tool: toRef(call), arguments: call.arguments };
}

function endWith(error: ToolrailError, call: PendingCall | undefined): EndOfChain {
  const pending = call && { pending: toPending(call, error) };
  return { type: "end", ended: chainEndOf(error), error, ...pending };
}
