import type { CallOptions } from "../call/call-request.ts";
import { toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef, toTraced } from "../result/hop.ts";
import { toRequest } from "./decide-hop.ts";
import { callText, progressAfter } from "./next-hop.ts";
import { pausedDefect } from "./paused-defect.ts";
import { type ChainParts, runChain } from "./run-chain.ts";

/** A person's word on a pending call. */
export type ApprovalDecision = "approve" | { readonly deny: string };

/** Goes on with a chain that ended with `needs-approval`, from where it stood. */
export async function* resumeChain(
  parts: ChainParts,
  { paused, decision }: { readonly paused: ChainResult; readonly decision: ApprovalDecision },
  options: CallOptions,
): AsyncGenerator<Hop, ChainResult, undefined> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  if (decision !== "approve" && typeof decision?.deny !== "string") {
    const message = 'A decision on a pending call must be "approve" or { deny: reason }.';
    throw new ToolrailError("invalid-options", message);
  }
  const { runId, hops, pending } = paused as ChainResult & { readonly pending: PendingCall };
  const next =
    decision === "approve"
      ? await nextCall(parts, { hops, pending })
      : denied(pending, `approved: ${decision.deny}`);
  if ("ended" in next) {
    parts.onEnd({ runId, hops: hops.length, ...next });
    return { runId, hops, pending, ...next };
  }
  const { lostAttempts, binding: approved } = pending;
  const asking = { ...options, origin: next.origin, lostAttempts, approved };
  return yield* runChain(parts, { request: toRequest(next), runId, before: hops }, asking);
}

type Refusal = Pick<ChainResult, "ended" | "error">;

function denied(pending: PendingCall, why: string): Refusal {
  const message = `${toolId(toRef(pending))} was not ${why}`;
  return { ended: "denied", error: new ToolrailError("denied", message) };
}

/** A pause may be long, and the chain kept where others can write: what was asked must still be so. */
async function nextCall(
  parts: ChainParts,
  { hops, pending }: { readonly hops: readonly Hop[]; readonly pending: PendingCall },
): Promise<PendingCall | Refusal> {
  const last = hops.at(-1);
  if (!last) return pending;
  const next = await parts.nextHop(last, await progressAfter(hops.slice(0, -1)));
  if (next.type === "end" && next.error) return { ended: next.ended, error: next.error };
  if (next.type === "call" && callText(next.call) === callText(pending)) {
    return { ...next.call, origin: toTraced(next.call.origin, pending.origin.traceparent) };
  }
  return denied(pending, "called: the last result of the chain asks for another call.");
}
