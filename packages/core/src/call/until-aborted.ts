import { ToolrailError } from "../errors.ts";
import type { CallOptions } from "./call-request.ts";
import type { Limits } from "./limits.ts";
import type { PortOptions } from "./mcp-port.ts";

/** Waits for work that may never look at the signal, and no longer than until that aborts: rejects with its reason. */
export function untilAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return signal ? raceAbort(work, signal) : Promise.resolve(work);
}

/** One promise and one listener, since every call waits here. */
function raceAbort<T>(work: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const end = () => signal.removeEventListener("abort", stop);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
    Promise.resolve(work).then(
      (value) => {
        end();
        resolve(value);
      },
      (cause) => {
        end();
        reject(cause);
      },
    );
  });
}

type Bounds = Partial<Pick<PortOptions, "signal" | "timeoutMs">> & { late?: () => ToolrailError };

/** On the signal of a pipe that is a tool: how many pipes are around its steps. */
export const DEPTH = Symbol.for("toolrail.pipe.depth");

/** A signal of its own, since clients leave listeners on it: it aborts with another one, or when time is up. */
function ownSignal({
  signal,
  timeoutMs,
  late = () => new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`),
}: Bounds) {
  const aborter = new AbortController();
  if (signal && DEPTH in signal) Object.assign(aborter.signal, { [DEPTH]: signal[DEPTH] });
  const follow = () => aborter.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  let stop = () => {};
  const restart = () => {
    stop();
    if (timeoutMs === undefined) return;
    try {
      const timer = setTimeout(() => aborter.abort(late()), timeoutMs);
      stop = () => clearTimeout(timer);
    } catch {} // There are no timers in a workflow's sandbox.
  };
  restart();
  const end = () => {
    stop();
    signal?.removeEventListener("abort", follow);
  };
  return { signal: aborter.signal, restart, end };
}

/**
 * Gives a request a signal of its own. Rejects on abort, and with `late` when time is up, counted from the start or from
 * the last `restart`.
 */
export async function withOwnSignal<T>(
  bounds: Bounds,
  request: (signal: AbortSignal, restart: () => void) => T | PromiseLike<T>,
): Promise<T> {
  const { signal, restart, end } = ownSignal(bounds);
  try {
    signal.throwIfAborted();
    return await untilAborted(request(signal, restart), signal);
  } finally {
    end();
  }
}

/** Begins the time of a run. `wait` waits for work hardly longer than that, although the work may never look at the signal. */
export function startDeadline(
  { signal, timeoutMs: most = Number.POSITIVE_INFINITY }: Pick<CallOptions, "signal" | "timeoutMs">,
  { runTimeoutMs }: Pick<Limits, "runTimeoutMs">,
) {
  const timeoutMs = Math.min(most, runTimeoutMs);
  const late = () => new ToolrailError("timeout", `The run has taken longer than ${timeoutMs} ms.`);
  const own = ownSignal({ ...(signal && { signal }), ...(timeoutMs > 0 && { timeoutMs }), late });
  const wait = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const giveUp = () => {
        const { reason } = own.signal;
        // Work that looks at the signal says itself how it ended.
        if (ToolrailError.isInstance(reason, "timeout")) setTimeout(() => reject(reason), 100);
      };
      own.signal.addEventListener("abort", giveUp, { once: true });
      work.then(resolve, reject);
    });
  return { ...own, wait };
}

/** Throws the signal's own reason, as frameworks expect, where `ended` of a chain or `code` of an error says it. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}
