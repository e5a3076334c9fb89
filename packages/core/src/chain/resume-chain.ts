import type { CallOptions } from "../call/call-request.ts";
import { toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef, toTraced } from "../result/hop.ts";
import type { InputAnswers } from "../result/question.ts";
import { chainEndOf } from "./chain-end.ts";
import { toRequest } from "./decide-hop.ts";
import { callText } from "./next-hop.ts";
import { pausedDefect } from "./paused-defect.ts";
import { type ChainParts, runChain } from "./run-chain.ts";

/** A person's word on a pending call. */
export type ApprovalDecision = "approve" | { readonly deny: string };

/** The answers to all that `pending.question` asks. */
export interface InputDecision {
  readonly input: InputAnswers;
}

/** Goes on with a chain that waits for a person, from where it stood. */
export async function* resumeChain(
  parts: ChainParts,
  { paused, decision }: { paused: ChainResult; decision: ApprovalDecision | InputDecision },
  options: CallOptions,
): AsyncGenerator<Hop, ChainResult, undefined> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  const { runId, hops, pending } = paused as ChainResult & { readonly pending: PendingCall };
  const word = decision === "approve" ? undefined : decision;
  const next =
    word && "deny" in word
      ? denied(pending, `approved: ${word.deny}`)
      : await nextCall(parts, { hops, pending, ...options });
  if (ToolrailError.isInstance(next)) {
    const end = { runId, ended: chainEndOf(next), error: next };
    parts.onEnd({ ...end, hops: hops.length });
    return { ...end, hops, pending };
  }
  const asking = { ...options, origin: next.origin, ...toAnswered(pending, decision) };
  return yield* runChain(parts, { request: toRequest(next), runId, before: hops }, asking);
}

/** What the door takes of a person's word, when the call that waited for it is made. */
export function toAnswered(
  { lostAttempts, binding: approved, question }: Partial<PendingCall> = {},
  decision: ApprovalDecision | InputDecision,
): Pick<CallOptions, "lostAttempts" | "approved" | "answers"> {
  const input = typeof decision === "object" && "input" in decision ? decision.input : undefined;
  return { lostAttempts, approved, answers: question && input && { question: question.id, input } };
}

function denied(pending: PendingCall, why: string): ToolrailError {
  return new ToolrailError("denied", `${toolId(toRef(pending))} was not ${why}`);
}

/** A pause may be long, and the chain kept where others can write: what was asked must still be so. */
async function nextCall(
  parts: ChainParts,
  {
    hops,
    pending,
    context,
  }: Pick<CallOptions, "context"> & {
    readonly hops: readonly Hop[];
    readonly pending: PendingCall;
  },
): Promise<PendingCall | ToolrailError> {
  const last = hops.at(-1);
  if (!last) return pending;
  const next = await parts.nextHop(last, hops.slice(0, -1).map(callText), { context });
  if (next.type === "end" && next.error) return next.error;
  if (next.type === "call" && callText(next.call) === callText(pending)) {
    return { ...next.call, origin: toTraced(next.call.origin, pending.origin.traceparent) };
  }
  return denied(pending, "called: the last result of the chain asks for another call.");
}
