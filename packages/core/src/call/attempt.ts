import { type ErrorRecord, ToolrailError } from "../errors.ts";
import type { Answer } from "../types/call-options.ts";
import type { ClaimingStore } from "../types/store.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { toBinding } from "./binding.ts";
import { toStageError } from "./call-error.ts";
import { notify } from "./notify.ts";
import type { HostParts } from "./passage.ts";
import { askInTime } from "./store.ts";
import { withOwnSignal } from "./until-aborted.ts";

/** Sends a call, and runs `onSend` when it goes out to the server. */
export type Send = (call: ToolCall, onSend?: () => void) => Promise<Answer>;

/** The stored state of an attempt. One that has only started is lost after `untilMs`: its outcome is unknown. */
export type StoredAttempt = Pick<Attempt, "of"> & (Pick<Attempt, "untilMs"> | Denied | Outcome);

/** The state of a call that a person has denied: the time at which the approval that they were asked for expires. */
type Denied = { readonly denied: number };

type Outcome = { readonly answer: Answer } | { readonly error: ErrorRecord };

/** The most by which the clocks of two workers may differ, or a call may end late. */
export const MARGIN_MS = 10_000;

export interface Attempt {
  readonly store: ClaimingStore;
  readonly key: string;
  /** Names the call: see `Approval`. */
  readonly slot: string;
  readonly attempt: number;
  /** The key of the call, if the key of the attempt does not cover the arguments. */
  readonly of?: string | undefined;
  /** The time after which other workers treat it as lost. */
  readonly untilMs: number;
  readonly send: Send;
}

/** Computes the time in which an attempt may still be made or withdrawn: until another worker may have continued after it. */
export function timeLeft(
  { now }: Pick<HostParts, "now">,
  { untilMs }: Pick<Attempt, "untilMs">,
): number {
  return untilMs - MARGIN_MS / 2 - now();
}

/** Makes the call within the time of its claim, whatever plugins do. A call that was not sent may be tried again. */
export async function makeAttempt(
  parts: HostParts,
  call: ToolCall,
  { send, ...claimed }: Attempt,
): Promise<Answer> {
  const { limits } = parts;
  const rows = parts.services.hopRows?.rows;
  const { store, key, slot, attempt, of } = claimed;
  const bounds = { signal: call.signal, timeoutMs: Math.max(0, timeLeft(parts, claimed)) };
  let isSent = false;
  let stopped: AbortSignal | undefined;
  const onSend = () => {
    // The process may have been asleep since it claimed the call.
    if (!isSent && timeLeft(parts, claimed) <= 0) throw claimedElsewhere(call.tool);
    isSent = true;
  };
  // If the store fails now, the caller still gets the answer. For other workers, the outcome is unknown.
  const storeOutcome = (stored?: StoredAttempt) =>
    notify(async () => {
      const ttlMs = limits.pendingHopTtlMs;
      const value = stored && { ...stored, ...(of && { of }) };
      await askInTime(() => (value ? store.set(key, value, ttlMs) : store.delete(key)));
      if (stored && "answer" in stored) rows?.set(stored.answer.result, { key, ...stored });
    }, undefined);
  try {
    const answer = await withOwnSignal(bounds, (signal) => {
      stopped = signal;
      return send({ ...call, signal }, onSend);
    });
    await storeOutcome({ answer });
    return answer;
  } catch (cause) {
    const error = toStageError(cause, { name: call.tool.id, signal: call.signal });
    const isUnknown =
      error.code === "aborted" || error.code === "outcome-unknown" || stopped?.aborted === true;
    const isRefused = error.code === "server-unavailable" || error.code === "needs-sign-in";
    const isFree = !isSent || isRefused;
    if (isFree && timeLeft(parts, claimed) > 0) await storeOutcome();
    else if (!isFree) await storeOutcome(isUnknown ? { untilMs: 0 } : { error: error.toJSON() });
    if (error.code !== "outcome-unknown") throw error;
    throw await outcomeUnknown(parts, call, { slot, attempts: attempt, cause: error });
  }
}

/** Creates the error that ends a run whose call another worker is making. */
export function claimedElsewhere({ id }: Tool): ToolrailError {
  const message = `${id} is being called already, for the same run or on the same approval, and has no answer yet. It was not called a second time: continue the run later.`;
  return new ToolrailError("claimed-elsewhere", message);
}

interface LostCall extends Pick<Attempt, "slot"> {
  readonly attempts: number;
  readonly cause?: ToolrailError;
  readonly isChanged?: boolean;
}

/** Creates the error that lets a person decide whether a call is made again. */
export async function outcomeUnknown(
  parts: HostParts,
  call: ToolCall,
  { slot, attempts, cause, isChanged = false }: LostCall,
): Promise<ToolrailError> {
  const why = isChanged
    ? "in this step of the same run, with other arguments than now"
    : "and the worker was lost or stopped before it stored the answer: the call may or may not have taken effect";
  const message = `${call.tool.id} was called before, ${why}. It was not called again. Find out what happened. If the call is approved, it is made again.`;
  const binding = await toBinding(parts, call, { slot, lostAttempts: attempts });
  const data = { attempts, binding };
  return new ToolrailError("outcome-unknown", cause?.message ?? message, { data, cause });
}
