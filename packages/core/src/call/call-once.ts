import { ToolrailError } from "../errors.ts";
import { sha256 } from "../hash.ts";
import { canonicalJson } from "../json.ts";
import type { Hop } from "../result/hop.ts";
import { toDoorError } from "./admission.ts";
import type { CallOptions } from "./call-request.ts";
import { bindingOf } from "./definition.ts";
import type { DoorParts } from "./door-parts.ts";
import { notify } from "./notify.ts";
import { askStore } from "./store.ts";
import type { HostTool } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";
import { untilAborted, withOwnSignal } from "./until-aborted.ts";

/** In the `_meta` of a call that has a place: a server that has seen the key need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** The same for this call in every worker, and for no other call. */
export function toCallKey(
  place: string | undefined,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): Promise<string> | undefined {
  return place === undefined ? undefined : sha256(canonicalJson([place, tool.id, args]));
}

/** What a server answered to a call, and when. Plain JSON. */
export type Answer = Pick<Hop, "callId" | "result" | "startedAtMs" | "durationMs">;

/** Sends a call, and tells when it goes out to the server. */
export type Send = (call: ToolCall, onSend?: () => void) => Promise<Answer>;

/** What is kept of an attempt. One that has only started is lost after `untilMs`: nobody knows its outcome. */
type Kept = Pick<Attempt, "of"> &
  (
    | { readonly untilMs: number }
    | { readonly answer: Answer }
    | { readonly error: Pick<ToolrailError, "code" | "message" | "data"> }
  );

/** By so much the clocks of two workers may differ, and a call may end late. */
const MARGIN_MS = 10_000;

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

interface Attempt {
  readonly key: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** The key of the call, where that of the attempt leaves the arguments out. */
  readonly of?: string;
  /** When others take it for lost. */
  readonly untilMs: number;
  readonly send: Send;
}

/** How long an attempt may still be made, or taken back: not once another worker may have gone on after it. */
function timeLeft({ now }: Pick<DoorParts, "now">, { untilMs }: Pick<Attempt, "untilMs">): number {
  return untilMs - MARGIN_MS / 2 - now();
}

/** Makes the call within the time of its claim, whatever interceptors do. What was not sent may be tried again. */
async function makeAttempt(
  parts: DoorParts,
  call: ToolCall,
  { send, ...own }: Attempt,
): Promise<Answer> {
  const { claims: store, limits, rows } = parts;
  const { key, attempt, of } = own;
  const bounds = { signal: call.signal, timeoutMs: Math.max(0, timeLeft(parts, own)) };
  let isSent = false;
  const onSend = () => {
    // The process may have been asleep since it claimed the call.
    if (!isSent && timeLeft(parts, own) <= 0) throw claimedElsewhere(call.tool);
    isSent = true;
  };
  // Where the store fails now the answer is there all the same; to others its outcome is unknown.
  const keep = (kept?: Kept) =>
    notify(async () => {
      const ttlMs = limits.pendingHopTtlMs;
      const value = kept && { ...kept, ...(of && { of }) };
      await askInTime(() => (value ? store?.set(key, value, ttlMs) : store?.delete(key)));
      if (kept && "answer" in kept) rows?.set(kept.answer.result, { key, ...kept });
    }, undefined);
  try {
    const answer = await withOwnSignal(bounds, (signal) => send({ ...call, signal }, onSend));
    await keep({ answer });
    return answer;
  } catch (cause) {
    const error = toDoorError(cause, { name: call.tool.id, signal: call.signal });
    const isUnknown = error.code === "aborted" || error.code === "outcome-unknown";
    const isFree = !isSent || error.code === "server-unavailable";
    if (isFree && timeLeft(parts, own) > 0) await keep();
    else if (!isFree)
      await keep(isUnknown ? { untilMs: 0 } : { error: error.toJSON() as ToolrailError });
    if (error.code !== "outcome-unknown") throw error;
    throw await outcomeUnknown(call, { attempts: attempt, cause: error });
  }
}

/** Asks a store that may be slow. Rejects with `callback-failed` where it fails, or gives no answer in time. */
export function askInTime<T>(
  ask: (signal: AbortSignal) => T,
  signal?: AbortSignal,
): Promise<Awaited<T>> {
  const message = `The store of the host did not answer within ${MARGIN_MS} ms: try again when it is reachable.`;
  const late = () => new ToolrailError("callback-failed", message);
  return withOwnSignal({ signal, timeoutMs: MARGIN_MS, late }, (own) => askStore(() => ask(own)));
}

function claimedElsewhere({ id }: HostTool): ToolrailError {
  const message = `Another worker is calling ${id} for the same run, and has no answer yet. It was not called a second time: continue the run later.`;
  return new ToolrailError("claimed-elsewhere", message);
}

async function outcomeUnknown(
  call: ToolCall,
  {
    attempts,
    cause,
    isChanged = false,
  }: { readonly attempts: number; readonly cause?: ToolrailError; readonly isChanged?: boolean },
): Promise<ToolrailError> {
  const why = isChanged
    ? "in this step of the same run, with other arguments than now"
    : "and the worker was lost or stopped before it stored the answer: the call may or may not have taken effect";
  const message = `${call.tool.id} was called before, ${why}. It was not called again. Find out what happened; an approval makes the call once more.`;
  const data = { attempts, binding: await bindingOf(call) };
  return new ToolrailError("outcome-unknown", cause?.message ?? message, { data, cause });
}
