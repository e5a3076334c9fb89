import { ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import type { ChainEnd, ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, isLeftOut } from "../result/hop.ts";

/** The end of a chain, or the end that it would have after a result. */
export interface DecidedEnd extends Pick<ChainResult, "ended" | "pending"> {
  readonly type: "end";
  readonly error?: ToolrailError;
}

/** A chain that has ended, with the number of its calls. */
export type ChainSummary = Pick<ChainResult, "runId" | "ended" | "error"> & {
  readonly hops: number;
};

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
  "invalid-output": "invalid-output",
  aborted: "aborted",
};

/** True if a chain waits for a person: see `host.resume`. */
export function isWaiting({ ended }: { readonly ended?: ChainEnd }): boolean {
  return ended === "needs-approval";
}

/** Returns how a chain ends if its next call ends in this error. */
export function endByError(error: ToolrailError): ChainEnd {
  return ENDS[error.code] ?? "failed";
}

/** Builds the end of a chain before this call: complete, or with this error. */
export function endChain(error?: ToolrailError, pending?: PendingCall): DecidedEnd {
  if (!error) return { type: "end", ended: "complete" };
  const left = pending && { pending: toPending(pending, error) };
  return { type: "end", ended: endByError(error), error, ...left };
}

/** Ends a chain at a result whose output may not be used. Returns `undefined` if it may. */
export function endAtOutput(hop: Hop): DecidedEnd | undefined {
  if (!isLeftOut(hop)) return undefined;
  return endChain(new ToolrailError("invalid-output", `${hop.output.message}.`));
}

/** Adds the question to a call that a person has to approve. */
export function toPending(call: PendingCall, error: ToolrailError): PendingCall {
  const { binding: _, reason: __, problem: ___, ...rest } = call;
  return ToolrailError.isInstance(error, "needs-approval") ? { ...rest, ...error.data } : rest;
}
