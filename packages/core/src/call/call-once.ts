import { ToolrailError } from "../errors.ts";
import { sha256 } from "../hash.ts";
import { canonicalJson } from "../json.ts";
import {
  type Answer,
  type Attempt,
  claimedElsewhere,
  type Kept,
  MARGIN_MS,
  makeAttempt,
  outcomeUnknown,
  timeLeft,
} from "./attempt.ts";
import type { CallOptions } from "./call-request.ts";
import type { DoorParts } from "./door-parts.ts";
import { askInTime } from "./store.ts";
import type { HostTool } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";
import { untilAborted } from "./until-aborted.ts";

/** In the `_meta` of a call that has a place: a server that has seen the key need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** The same for this call in every worker, and for no other call. */
export function toCallKey(
  place: string | undefined,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): Promise<string> | undefined {
  return place === undefined ? undefined : sha256(canonicalJson([place, tool.id, args]));
}

/** True where the door makes a call of this tool once in its place. */
export function isOnce({ claims }: Pick<DoorParts, "claims">, { annotations }: HostTool): boolean {
  return claims !== undefined && annotations?.readOnlyHint !== true;
}

/** Sends a call that no worker has claimed, and keeps what comes of it; else waits for what the other gets. */
export async function callOnce(
  parts: DoorParts,
  call: ToolCall,
  work: Pick<Attempt, "key" | "send"> & { readonly options: CallOptions; readonly place: string },
): Promise<Answer> {
  const { claims: store, now, limits } = parts;
  const { lostAttempts = 0, timeoutMs: most = Number.POSITIVE_INFINITY } = work.options;
  if (!store || !isOnce(parts, call.tool)) return work.send(call);
  const longestMs = Math.max(0, Math.min(limits.callTotalTimeoutMs, most));
  const giveUpMs = now() + longestMs;
  const repeats = parts.afterCrash === "repeat" || call.tool.annotations?.idempotentHint === true;
  // A step of a pipe is one call, also where its arguments follow from what a read-only tool has answered anew.
  const isStep = call.origin.by === "pipe";
  const slot = isStep ? await sha256(canonicalJson([work.place, call.tool.id])) : work.key;
  const own = isStep ? { of: work.key } : {};
  let isChanged = false;
  for (let lost = 0, pauseMs = 20, isFree = true; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    // One for each attempt: a slow worker writes nothing over the attempt of another.
    const key = `call:${slot}:${lost + 1}`;
    const mayMake = (repeats && !isChanged) || lost <= lostAttempts;
    const started = { untilMs: now() + longestMs + MARGIN_MS, ...own };
    const attempt = { ...started, key, attempt: lost + 1, send: work.send };
    const claim = async (signal: AbortSignal) => {
      const isOwn = await store.claim(key, started, limits.pendingHopTtlMs);
      const isLate = isOwn === true && signal.aborted; // The call was given up.
      if (isLate && timeLeft(parts, attempt) > 0) await store.delete(key);
      return isOwn;
    };
    if (isFree && mayMake && (await askInTime(claim, call.signal)) === true) {
      return makeAttempt(parts, call, attempt);
    }
    const kept = (await askInTime(() => store.get(key), call.signal)) as Kept | undefined;
    const isOther = kept !== undefined && kept.of !== attempt.of;
    if (kept && !isOther && "answer" in kept) {
      parts.rows?.set(kept.answer.result, { key, ...kept });
      return kept.answer;
    }
    if (kept && !isOther && "error" in kept)
      throw new ToolrailError(kept.error.code, kept.error.message, kept.error);
    if (!kept && !mayMake) throw await outcomeUnknown(call, { attempts: lost, isChanged });
    const isLost = kept !== undefined && !("untilMs" in kept && kept.untilMs > now());
    isChanged ||= isLost && isOther;
    isFree = !kept || isLost;
    if (isLost) lost++;
    else if (now() >= giveUpMs) throw claimedElsewhere(call.tool);
    else await untilAborted(new Promise((done) => setTimeout(done, pauseMs)), call.signal);
  }
}
