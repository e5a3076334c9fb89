import { ToolrailError } from "../errors.ts";
import type { CallOptions } from "../host/call-request.ts";
import type { Hop } from "../result/hop.ts";
import type { ChainResult, PendingCall } from "./chain-result.ts";
import { callKey, progressAfter } from "./next-hop.ts";
import { type ChainParts, runChain } from "./run-chain.ts";

/** A person's word on a pending call. */
export type ApprovalDecision = "approve" | { readonly deny: string };

/** Goes on with a chain that ended with `needs-approval`, from where it stood. */
export async function* resumeChain(
  parts: ChainParts,
  paused: ChainResult,
  decision: ApprovalDecision,
  options: CallOptions,
): AsyncGenerator<Hop, ChainResult, undefined> {
  const { runId, hops, pending } = paused;
  if (paused.ended !== "needs-approval" || !pending) {
    throw new ToolrailError(
      "invalid-options",
      `Only a chain that ended with needs-approval can be resumed; this one is ${paused.ended}.`,
    );
  }
  const refusal =
    decision === "approve" ? changed(parts, hops, pending) : denied(pending, decision);
  if (refusal) {
    const result: ChainResult = { runId, hops, pending, ...refusal };
    parts.onEnd(result);
    return result;
  }
  const tool = { server: pending.server, name: pending.tool };
  const request = { tool, arguments: pending.arguments };
  const approved = { ...options, origin: pending.origin, approved: true };
  return yield* runChain(parts, { request, runId, before: hops }, approved);
}

type Refusal = Pick<ChainResult, "ended" | "error">;

function denied(pending: PendingCall, decision: { readonly deny: string }): Refusal {
  const message = `${pending.server}.${pending.tool} was not approved: ${decision.deny}`;
  return { ended: "denied", error: new ToolrailError("denied", message) };
}

/** A pause may be long, and the chain kept where others can write: what was asked must still be so. */
function changed(
  parts: ChainParts,
  hops: readonly Hop[],
  pending: PendingCall,
): Refusal | undefined {
  const last = hops.at(-1);
  if (!last) return undefined;
  const next = parts.next(last, hops.length > 1 ? progressAfter(hops.slice(0, -1)) : undefined);
  if (next.type === "end" && next.error) return { ended: next.ended, error: next.error };
  if (next.type === "call" && keyOf(next.call) === keyOf(pending)) return undefined;
  const message = `${pending.server}.${pending.tool} is not what the last result of the chain asks for.`;
  return { ended: "denied", error: new ToolrailError("denied", message) };
}

function keyOf({ server, tool, arguments: args }: PendingCall): string {
  return callKey({ server, name: tool }, args);
}
