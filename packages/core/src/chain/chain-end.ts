import { ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import type { ChainEnd, ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, isLeftOut } from "../result/hop.ts";

/** The end of a chain: as it is, or as it would be after a result. */
export interface EndOfChain extends Pick<ChainResult, "ended" | "pending"> {
  readonly type: "end";
  readonly error?: ToolrailError;
}

/** A chain that has ended, and how many calls it made. */
export type EndedChain = Pick<ChainResult, "runId" | "ended" | "error"> & { readonly hops: number };

const ENDS: { readonly [Code in ToolrailErrorCode]?: ChainEnd } = {
  "chain-depth": "depth-limit",
  "chain-cycle": "cycle",
  "malformed-next-tool": "malformed",
  "rule-failed": "malformed",
  "unknown-tool": "unknown-tool",
  "ambiguous-tool": "unknown-tool",
  "invalid-arguments": "invalid-arguments",
  "reference-lost": "invalid-arguments",
  denied: "denied",
  "not-allowed": "denied",
  "quarantined-tool": "denied",
  "invalid-schema": "denied",
  "unknown-hop": "denied",
  "tool-changed": "denied",
  "needs-approval": "needs-approval",
  "needs-input": "needs-input",
  "unknown-input": "denied",
  "invalid-output": "invalid-output",
  aborted: "aborted",
};

/** True for a chain that waits for a person: see `host.resume`. */
export function isWaiting({ ended }: { readonly ended?: ChainEnd }): boolean {
  return ended === "needs-approval" || ended === "needs-input";
}

/** Why a chain ends when its next call ends in this error. One that an approval would repeat waits for it. */
export function chainEndOf(error: ToolrailError): ChainEnd {
  if (ToolrailError.isInstance(error, "outcome-unknown") && error.data) return "needs-approval";
  return ENDS[error.code] ?? "failed";
}

/** The end of a chain that is complete, or that ended in this error, before this call. */
export function endOfChain(error?: ToolrailError, pending?: PendingCall): EndOfChain {
  if (!error) return { type: "end", ended: "complete" };
  const left = pending && { pending: toPending(pending, error) };
  return { type: "end", ended: chainEndOf(error), error, ...left };
}

/** The end of a chain at a result that nothing may follow; `undefined` if its output may be used. */
export function endAtOutput(hop: Hop): EndOfChain | undefined {
  if (!isLeftOut(hop)) return undefined;
  return endOfChain(new ToolrailError("invalid-output", `${hop.output.message}.`));
}

/** A call that ended in this error; where it waits for a person, with what their yes is bound to. */
export function toPending(call: PendingCall, error: ToolrailError): PendingCall {
  const { binding: _, reason: __, lostAttempts: ___, inputRequest: ____, ...rest } = call;
  if (ToolrailError.isInstance(error, "needs-input") && error.data) {
    return { ...rest, inputRequest: error.data };
  }
  if (ToolrailError.isInstance(error, "needs-approval")) return { ...rest, ...error.data };
  if (!ToolrailError.isInstance(error, "outcome-unknown")) return rest;
  const { data } = error;
  return data ? { ...rest, binding: data.binding, lostAttempts: data.attempts } : rest;
}
