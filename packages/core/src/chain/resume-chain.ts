import { FOLLOWS, keyAfter } from "../call/approval.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult, Decision, PendingCall } from "../result/chain-result.ts";
import { toRef, toTraced } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import { callText, toRequest } from "./call-text.ts";
import { chainEndOf } from "./chain-end.ts";
import { pausedDefect, toAnswered } from "./paused-chain.ts";
import { type ChainParts, type OnHop, runChain } from "./run-chain.ts";

type PausedChain = ChainResult & { readonly pending: PendingCall };

interface Resumed {
  readonly paused: ChainResult;
  readonly decision: Decision;
  readonly onHop?: OnHop | undefined;
}

export async function resumeChain(
  parts: ChainParts,
  { paused, decision, onHop }: Resumed,
  options: CallOptions,
): Promise<ChainResult> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  const { runId, hops, pending } = paused as PausedChain;
  const stated = statedBefore(pending, options);
  const finish = (error: ToolrailError, waits = pending): ChainResult => {
    const end = { runId, ended: chainEndOf(error), error };
    parts.onEnd({ ...end, hops: hops.length });
    return { ...end, hops, pending: waits };
  };
  if (decision !== "approve" && "deny" in decision) {
    const how = pending.inputRequest ? "continued" : "approved";
    return finish(denied(pending, `${how}: ${decision.deny}`));
  }
  const asked = await nextCall(parts, paused as PausedChain, stated);
  if (ToolrailError.isInstance(asked)) return finish(asked);
  const { decideCall } = await import("../call/change-call.ts");
  const { call: next, error } = await decideCall(parts.host, asked, { ...stated, decision });
  if (error) return finish(error, next);
  const answered = toAnswered(next, decision);
  const key = keyAfter({ ...stated, ...answered }, parts.host);
  const asking = { ...stated, key, origin: next.origin, ...answered };
  return runChain(parts, { request: toRequest(next), runId, before: hops, onHop }, asking);
}

/** Returns the options of a resumed chain. Its first options may be left out, and must not change. */
function statedBefore({ key, conversation }: PendingCall, options: CallOptions): CallOptions {
  if (options.conversation !== undefined && options.conversation !== conversation)
    throw begunWith("conversation", conversation);
  const { key: statedKey = key } = options;
  if (statedKey !== key && FOLLOWS + statedKey !== key) throw begunWith("key", key);
  return { ...options, conversation, key };
}

function begunWith(name: string, value: string | undefined): ToolrailError {
  const begun = value === undefined ? `without a \`${name}\`` : `with another \`${name}\``;
  const message = `This chain was begun ${begun}: leave \`${name}\` out when you resume it.`;
  return new ToolrailError("invalid-options", message);
}

function denied(pending: PendingCall, why: string): ToolrailError {
  return new ToolrailError("denied", `${toolId(toRef(pending))} was not ${why}`);
}

/** Decides the next call again. The pause may have been long, and others may have changed the stored chain. */
async function nextCall(
  { nextHop }: ChainParts,
  { hops, pending }: PausedChain,
  options: CallOptions,
): Promise<PendingCall | ToolrailError> {
  const last = hops.at(-1);
  if (!last) return pending;
  const next = await nextHop(last, hops.slice(0, -1).map(callText), options);
  if (next.type === "end" && next.error) return next.error;
  const { changedFrom, origin } = pending;
  const first = changedFrom ? { ...pending, arguments: changedFrom } : pending;
  if (next.type === "call" && callText(next.call) === callText(first)) {
    return { ...pending, origin: toTraced(next.call.origin, origin.traceparent) };
  }
  return denied(pending, "called: the last result of the chain asks for another call.");
}
