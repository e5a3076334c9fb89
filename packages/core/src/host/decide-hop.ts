import { questionId } from "../call/approval.ts";
import { withoutWords } from "../call/call-error.ts";
import { toolId } from "../call/tool.ts";
import { type DecidedEnd, endChain } from "../chain/chain-end.ts";
import { callText, HOP_KEY, toRequest } from "../chain/next-hop.ts";
import { hopId, type PendingHop } from "../chain/pending-hop.ts";
import { ToolrailError } from "../errors.ts";
import { sha256 } from "../json/json.ts";
import { type Hop, toRef } from "../result/hop.ts";
import { engineOf } from "./engine.ts";
import type { Host } from "./host.ts";

/** The result of a call for its chain: a pending hop, or the end of the chain. */
export type DecidedHop = { readonly type: "call"; readonly pending: PendingHop } | DecidedEnd;

/** The position of a call in its chain: its pending hop, or the framework's id of the model's own call. Rules read `context`. */
export interface CallSite
  extends Pick<PendingHop, "root">,
    Partial<Pick<PendingHop, "runId" | "call" | "seen">> {
  readonly key?: string | undefined;
  /** The approval with which the call was made, if a person gave one. */
  readonly approved?: string | undefined;
  readonly context?: unknown;
}

/** Decides what follows from a call or its error, for frameworks that make each hop a separate call and store the pending hop. */
export async function decideHop(
  host: Host,
  outcome: Hop | ToolrailError,
  { root, runId: before, call, seen = [], context, ...site }: CallSite,
): Promise<DecidedHop> {
  const { nextHop, checkArguments, onEnd, now, approvalTtlMs } = engineOf(host);
  if (ToolrailError.isInstance(outcome)) {
    const end = endChain(outcome, call);
    if (before !== undefined) onEnd({ ...end, runId: before, hops: seen.length });
    return end;
  }
  const { runId, callId } = outcome;
  const finish = (end: DecidedEnd) => {
    onEnd({ ...end, runId, hops: seen.length + 1 });
    return end;
  };
  const next = await nextHop(outcome, seen, { context });
  if (next.type === "end") return finish(next);
  const defect = checkArguments(toRequest(next.call));
  if (defect) {
    const { origin } = next.call;
    const name = toolId(toRef(next.call));
    return finish(endChain(origin.forUserAlone ? withoutWords(defect, name) : defect, next.call));
  }
  // What follows from a call that is made once is made once as well.
  const key = site.key ?? questionId(site.approved);
  const pending: PendingHop = {
    id: hopId(callId),
    runId,
    root,
    ...(key !== undefined && { key: key + HOP_KEY }),
    call: next.call,
    // A stored hop holds no arguments twice.
    seen: [...seen, sha256(callText(outcome))],
    expiresAtMs: now() + approvalTtlMs,
  };
  return { type: "call", pending };
}
