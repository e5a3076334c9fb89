import { FOLLOWS, keyAfter } from "../call/approval.ts";
import { recordDenial } from "../call/call-once.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import type { ChainResult, Decision, PendingCall } from "../result/chain-result.ts";
import { toRef } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import { callText, toRequest } from "./call-text.ts";
import { endByError } from "./chain-end.ts";
import { pausedDefect, toAnswered } from "./paused-chain.ts";
import { type ChainParts, type OnHop, runChain } from "./run-chain.ts";

interface Resumed {
  readonly paused: ChainResult;
  readonly decision: Decision;
  readonly onHop?: OnHop | undefined;
}

/** Makes the call that a chain waits for, as a person has decided, and continues the chain. Rejects with `invalid-options` if it cannot be resumed so. */
export async function resumeChain(
  parts: ChainParts,
  { paused, decision, onHop }: Resumed,
  options: CallOptions,
): Promise<ChainResult> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  const { runId, hops, pending } = paused as ChainResult & { readonly pending: PendingCall };
  const stated = statedBefore(pending, options);
  const finish = (error: ToolrailError, waits = pending): ChainResult => {
    const end = { runId, ended: endByError(error), error };
    parts.onEnd({ ...end, hops: hops.length });
    return { ...end, hops, pending: waits };
  };
  const refuse = (why: string) =>
    finish(new ToolrailError("denied", `${toolId(toRef(pending))} was not ${why}`));
  if (decision !== "approve" && "deny" in decision) {
    try {
      if (!(await recordDenial(parts.host, pending, stated))) return refuse(TOO_LATE);
    } catch (cause) {
      return finish(toToolrailError(cause, "The denial was not recorded"));
    }
    return refuse(`${pending.inputRequest ? "continued" : "approved"}: ${decision.deny}`);
  }
  let { origin } = pending;
  const last = hops.at(-1);
  if (last) {
    // The pause may have been long, and others may have changed the stored chain.
    const next = await parts.nextHop(last, hops.slice(0, -1).map(callText), stated);
    if (next.type === "end" && next.error) return finish(next.error);
    const first = { ...pending, arguments: pending.changedFrom ?? pending.arguments };
    if (next.type === "end" || callText(next.call) !== callText(first)) {
      return refuse("called: the last result of the chain asks for another call.");
    }
    origin = next.call.origin;
  }
  const { decideCall } = await import("../call/change-call.ts");
  const decided = { ...stated, decision };
  const { call, error } = await decideCall(parts.host, { ...pending, origin }, decided);
  if (error) return finish(error, call);
  const answered = toAnswered(call, decision);
  const key = keyAfter({ ...stated, ...answered }, parts.host);
  const asking = { ...stated, key, origin, ...answered };
  return runChain(parts, { request: toRequest(call), runId, before: hops, onHop }, asking);
}

const TOO_LATE = "denied: a person had approved it before, so it was called, or is being called.";

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
