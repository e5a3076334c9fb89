import { ToolrailError } from "../errors.ts";
import type { PendingCall } from "../result/chain-result.ts";
import type { Answer, CallOptions } from "../types/call-options.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { readBinding } from "./approval.ts";
import { notCalled } from "./approval-errors.ts";
import {
  claimedElsewhere,
  MARGIN_MS,
  makeAttempt,
  outcomeUnknown,
  type StoredAttempt,
  timeLeft,
} from "./attempt.ts";
import { ownerHash } from "./binding.ts";
import { isOnce, toCallKey, toSlot } from "./call-key.ts";
import { callHash } from "./definition.ts";
import { toConversationKey } from "./memory-store.ts";
import type { HostParts, Send, Sending } from "./passage.ts";
import { askInTime } from "./store.ts";
import { untilAborted } from "./until-aborted.ts";

/** Sends a call that no worker has claimed, and keeps its result. If another worker has claimed it, waits for that result. */
export async function callOnce({ passage, call }: Sending, next: Send): Promise<Answer> {
  const { host: parts, options, approval } = passage;
  const { now, limits } = parts;
  // The answers to an input request make it another call, which is also made once.
  const { inputRequest } = options.answers ?? {};
  const key = options.key && inputRequest ? `${options.key}?${inputRequest}` : options.key;
  passage.idempotencyKey = await toCallKey(key ?? approval?.slot, call);
  const send = (sent: ToolCall, onSend?: () => void) =>
    next({ passage, call: sent, onSend }) as Promise<Answer>;
  if (!approval && !(key && isOnce(parts, call.tool, key))) return send(call);
  const { store, toKey } = attemptsOf(parts, call.conversation);
  const { timeoutMs: maxMs = Number.POSITIVE_INFINITY } = options;
  const { lostAttempts = 0 } = approval ?? options;
  const longestMs = Math.max(0, Math.min(limits.callTotalTimeoutMs, maxMs));
  const giveUpMs = now() + longestMs;
  const isIdempotent = call.tool.annotations?.idempotentHint === true;
  const repeats = parts.once?.afterCrash === "repeat" || (isIdempotent && !approval);
  const baseSlot = approval?.slot ?? (await toSlot(key, call));
  const slot = approval && inputRequest ? `${baseSlot}?${inputRequest}` : baseSlot;
  const isStep = key !== undefined && call.origin.by === "pipe";
  const of = isStep ? passage.idempotencyKey : call.changedFrom && (await callHash(call));
  const named = of === undefined ? {} : { of };
  let isChanged = false;
  let denials = "";
  for (let lost = 0, pauseMs = 20, isFree = true; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    // Each attempt has its own key, so that a slow worker does not overwrite that of another. After each denial it ends with a "!".
    const key = toKey(`call:${slot}:${lost + 1}${denials}`);
    const mayMake = (repeats && !isChanged) || lost <= lostAttempts;
    const started = { untilMs: now() + longestMs + MARGIN_MS, ...named };
    const attempt = { ...started, key, slot, store, attempt: lost + 1, send };
    const claim = async (signal: AbortSignal) => {
      const isOwn = await store.claim(key, started, limits.pendingHopTtlMs);
      const isLate = isOwn === true && signal.aborted; // The call was given up.
      if (isLate && timeLeft(parts, attempt) > 0) await store.delete(key);
      return isOwn;
    };
    if (isFree && mayMake && (await askInTime(claim, call.signal)) === true) {
      return makeAttempt(parts, call, attempt);
    }
    const stored = (await askInTime(() => store.get(key), call.signal)) as
      | StoredAttempt
      | undefined;
    if (stored && "denied" in stored) {
      if (stored.denied === approval?.expiresAtMs)
        throw notCalled(call.tool, { code: "denied", why: "a person has denied it already" });
      [denials, isFree] = [`${denials}!`, true]; // It was asked for again, or needs no approval now.
      continue;
    }
    const isOther = stored !== undefined && stored.of !== attempt.of;
    if (stored && !isOther && "answer" in stored) {
      parts.services.hopRows?.rows.set(stored.answer.result, { key, ...stored });
      return stored.answer;
    }
    if (stored && !isOther && "error" in stored)
      throw new ToolrailError(stored.error.code, stored.error.message, stored.error);
    const isGone = stored !== undefined && "untilMs" in stored && stored.untilMs <= now();
    if (isOther && !isStep && approval && !isGone)
      throw notCalled(call.tool, { code: "denied", why: USED_OTHERWISE });
    if (!stored && !mayMake) {
      throw await outcomeUnknown(parts, call, { slot, attempts: lost, isChanged });
    }
    const isLost = stored !== undefined && !("untilMs" in stored && stored.untilMs > now());
    isChanged ||= isLost && isOther;
    isFree = !stored || isLost;
    if (isLost) [lost, denials] = [lost + 1, ""];
    else if (now() >= giveUpMs) throw claimedElsewhere(call.tool);
    else
      await untilAborted(new Promise((done) => setTimeout(done, pauseMs)), call.signal).catch(
        (why) => {
          throw ToolrailError.isInstance(why, "timeout") ? claimedElsewhere(call.tool) : why;
        },
      );
  }
}

const USED_OTHERWISE = "its approval has been used for a call with other arguments";

/** Records that a person has denied a pending call, so that no approval of it counts any more. Returns false if they had approved it before. */
export async function recordDenial(
  parts: HostParts,
  { binding, lostAttempts = 0 }: PendingCall,
  by: Pick<CallOptions, "conversation" | "context">,
): Promise<boolean> {
  const { slot, expiresAtMs: denied, owner } = readBinding(binding);
  if (slot === undefined) return true;
  const isTheirs = owner === (await ownerHash(parts, by, { slot, lostAttempts }));
  if (!isTheirs && by.context !== undefined) return true;
  const { store, toKey } = attemptsOf(parts, by.conversation);
  for (let row = `call:${slot}:${lostAttempts + 1}`; ; row += "!") {
    const key = toKey(row);
    const claim = () => store.claim(key, { denied }, parts.limits.pendingHopTtlMs);
    if ((await askInTime(claim)) === true) return true;
    const stored = Object(await askInTime(() => store.get(key)));
    if (stored.denied === undefined || stored.denied === denied) return stored.denied === denied;
  }
}

/** Returns the store of attempts. They count for the conversation, whose oldest values are dropped first: their approvals are older. */
function attemptsOf({ once, approvalStore }: HostParts, conversation: string | undefined) {
  const toKey = (row: string) => (once ? row : toConversationKey(conversation, row));
  return { store: once?.store ?? approvalStore, toKey };
}
