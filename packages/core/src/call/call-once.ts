import { ToolrailError } from "../errors.ts";
import { type Answer, type KeptAttempt, makeAttempt, type Send } from "./call-attempt.ts";
import type { CallOptions } from "./call-request.ts";
import type { DoorParts } from "./door-parts.ts";
import { askStore } from "./store.ts";
import type { HostTool } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";
import { untilAborted } from "./until-aborted.ts";

/** True where the door makes a call of this tool once in its place. */
export function isOnce({ claims }: Pick<DoorParts, "claims">, { annotations }: HostTool): boolean {
  return claims !== undefined && annotations?.readOnlyHint !== true;
}

interface Once {
  readonly key: string;
  readonly options: CallOptions;
  readonly send: Send;
}

/**
 * Sends a call that no other worker has claimed, and keeps what comes of it; else waits for what the other gets.
 * Rejects with `claimed-elsewhere` where that takes longer than this call may, and with `outcome-unknown` where the
 * other was lost and the call may not be repeated. Each attempt has a key of its own, so that a worker which was
 * wrongly thought lost writes nothing over the attempt of another.
 */
export async function callOnce(
  parts: DoorParts,
  call: ToolCall,
  { key: place, options, send }: Once,
): Promise<Answer> {
  const { claims: store, now, limits, afterCrash } = parts;
  const { tool, signal } = call;
  if (!store || !isOnce(parts, tool)) return send(call);
  const { lostAttempts = 0, timeoutMs: most = Number.POSITIVE_INFINITY } = options;
  const longestMs = Math.max(0, Math.min(limits.callTotalTimeoutMs, most));
  const giveUpMs = now() + longestMs;
  const repeats = afterCrash === "repeat" || tool.annotations?.idempotentHint === true;
  const ttlMs = limits.pendingHopTtlMs;
  let lost = 0;
  let isFree = true;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    const key = `call:${place}:${lost + 1}`;
    const mayMake = repeats || lost <= lostAttempts;
    const started = { type: "started", untilMs: now() + longestMs + MARGIN_MS };
    if (isFree && mayMake && (await askStore(() => store.claim(key, started, ttlMs))) === true) {
      const timeoutMs = longestMs + MARGIN_MS / 2;
      return makeAttempt(call, { store, key, ttlMs, send, timeoutMs });
    }
    const kept = (await askStore(() => store.get(key))) as KeptAttempt | undefined;
    if (kept?.type === "answered") return kept.answer;
    if (kept?.type === "failed") throw revive(kept.error);
    if (!(kept || mayMake)) throw outcomeUnknown(tool, lost);
    const isLost = kept !== undefined && kept.untilMs <= now();
    isFree = !kept || isLost;
    if (isLost) lost += 1;
    else if (now() >= giveUpMs) throw claimedElsewhere(tool, longestMs);
    else await untilAborted(pause(pauseMs), signal);
  }
}

/** By so much the clocks of two workers may differ, and a call may end late. */
const MARGIN_MS = 10_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function revive({ code, message, data }: Pick<ToolrailError, "code" | "message" | "data">) {
  return new ToolrailError(code, message, { data });
}

function claimedElsewhere({ id }: HostTool, waitedMs: number): ToolrailError {
  const message =
    `Another worker is calling ${id} for the same run, and has had no answer within ${Math.round(waitedMs)} ms. ` +
    "It was not called a second time: go on with the run later.";
  return new ToolrailError("claimed-elsewhere", message);
}

function outcomeUnknown({ id }: HostTool, attempts: number): ToolrailError {
  const message =
    `The call of ${id} was sent before, and its worker was lost or stopped before the answer was kept: it may have ` +
    "taken effect or not. It was not repeated. Find out what became of it; an approval makes the call again.";
  return new ToolrailError("outcome-unknown", message, { data: { attempts } });
}
