import type { ToolrailError } from "../errors.ts";
import type { Hop } from "../result/hop.ts";
import { toDoorError } from "./admission.ts";
import { notify } from "./notify.ts";
import { withOwnSignal } from "./own-signal.ts";
import type { ClaimingStore } from "./store.ts";
import type { ToolCall } from "./tool-call.ts";

/** What a server answered to a call, and when. Plain JSON. */
export type Answer = Pick<Hop, "callId" | "result" | "startedAtMs" | "durationMs">;

/** Sends a call, and tells when it goes out to the server. */
export type Send = (call: ToolCall, onSend?: () => void) => Promise<Answer>;

/** What is kept of an attempt at a call, for the other workers that come to its place. */
export type KeptAttempt =
  /** Under way until then; after that, its outcome is unknown. */
  | { readonly type: "started"; readonly untilMs: number }
  | { readonly type: "answered"; readonly answer: Answer }
  | { readonly type: "failed"; readonly error: Pick<ToolrailError, "code" | "message" | "data"> };

/** An attempt that this worker has claimed. */
export interface OwnAttempt {
  readonly store: ClaimingStore;
  readonly key: string;
  readonly ttlMs: number;
  readonly send: Send;
  /** The attempt ends by then, whatever interceptors do: others may think it lost later. */
  readonly timeoutMs: number;
}

/** Makes the call and keeps what comes of it. What was not sent is not kept, and may be tried again. */
export async function makeAttempt(call: ToolCall, attempt: OwnAttempt): Promise<Answer> {
  const { store, key, ttlMs, send, timeoutMs } = attempt;
  const { signal } = call;
  let isSent = false;
  // Where the store fails now, the answer is there all the same; to others its outcome is unknown.
  const keep = (kept: KeptAttempt | undefined) =>
    notify(async () => {
      await (kept ? store.set(key, kept, ttlMs) : store.delete(key));
    }, undefined);
  try {
    const answer = await withOwnSignal({ signal, timeoutMs }, (own) =>
      send({ ...call, signal: own }, () => {
        isSent = true;
      }),
    );
    await keep({ type: "answered", answer });
    return answer;
  } catch (cause) {
    const error = toDoorError(cause, { name: call.tool.id, signal });
    if (!isSent || error.code === "server-unavailable") {
      await keep(undefined);
    } else if (error.code === "aborted" || error.code === "outcome-unknown") {
      await keep({ type: "started", untilMs: 0 });
    } else {
      await keep({ type: "failed", error: error.toJSON() as ToolrailError });
    }
    throw error;
  }
}
