import type { CallOptions } from "../call/call-request.ts";
import { toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef, toTraced } from "../result/hop.ts";
import type { InputAnswers } from "../result/question.ts";
import { toRequest } from "./decide-hop.ts";
import { callText, progressAfter } from "./next-hop.ts";
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
  if ("ended" in next) {
    parts.onEnd({ runId, hops: hops.length, ...next });
    return { runId, hops, pending, ...next };
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

type Refusal = Pick<ChainResult, "ended" | "error">;

function denied(pending: PendingCall, why: string): Refusal {
  const message = `${toolId(toRef(pending))} was not ${why}`;
  return { ended: "denied", error: new ToolrailError("denied", message) };
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
): Promise<PendingCall | Refusal> {
  const last = hops.at(-1);
  if (!last) return pending;
  const next = await parts.nextHop(last, progressAfter(hops.slice(0, -1)), { context });
  if (next.type === "end" && next.error) return { ended: next.ended, error: next.error };
  if (next.type === "call" && callText(next.call) === callText(pending)) {
    return { ...next.call, origin: toTraced(next.call.origin, pending.origin.traceparent) };
  }
  return denied(pending, "called: the last result of the chain asks for another call.");
}
