import { ToolrailError } from "../errors.ts";
import type { CallOptions } from "./call-options.ts";
import type { Limits } from "./limits.ts";

/** Waits for work that may never look at the signal. If the signal aborts first, rejects with its reason. */
export function untilAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    const listeners = listenersOf(signal);
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else listeners.add(stop);
    Promise.resolve(work).then(
      (value) => {
        listeners.delete(stop);
        resolve(value);
      },
      (cause) => {
        listeners.delete(stop);
        reject(cause);
      },
    );
  });
}

/** The key of the abort listeners on signals that are made here. Listeners of the signal itself would take several times as long. */
const LISTENERS = Symbol("toolrail.abort-listeners");
type OwnSignal = AbortSignal & { [LISTENERS]?: Set<() => void> };

const listenersOf = (signal: OwnSignal): Record<"add" | "delete", (listener: () => void) => void> =>
  signal[LISTENERS] ?? {
    add: (listener) => signal.addEventListener("abort", listener),
    delete: (listener) => signal.removeEventListener("abort", listener),
  };

interface Bounds {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** The longest time, however often it is restarted. */
  readonly totalTimeoutMs?: number;
  readonly late?: () => ToolrailError;
}

/** Creates a signal that aborts with the given signal, or when time is up. Clients leave listeners on a signal, so each request gets a new one. */
function ownSignal({ signal, timeoutMs, totalTimeoutMs, late }: Bounds) {
  const aborter = new AbortController();
  const own: OwnSignal = aborter.signal;
  const listeners = new Set<() => void>();
  own[LISTENERS] = listeners;
  const abort = (reason: unknown) => {
    aborter.abort(reason);
    for (const listener of listeners) listener();
    listeners.clear();
  };
  const follow = () => abort(signal?.reason);
  if (signal?.aborted) follow();
  else if (signal) listenersOf(signal).add(follow);
  const abortIn = (ms: number | undefined) => {
    if (ms === undefined) return undefined;
    const inTime = () => new ToolrailError("timeout", `No answer within ${ms} ms.`);
    try {
      return setTimeout(() => abort((late ?? inTime)()), ms);
    } catch {
      return undefined; // The sandbox of a workflow has no timers.
    }
  };
  const whole = abortIn(totalTimeoutMs);
  let timer = abortIn(timeoutMs);
  const restart = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = abortIn(timeoutMs);
  };
  const end = () => {
    for (const one of [timer, whole]) if (one !== undefined) clearTimeout(one);
    if (signal) listenersOf(signal).delete(follow);
  };
  return { signal: own, restart, end };
}

/** Gives a request a separate signal. Rejects on abort, and with `late` when time is up, counted from the start or from the last `restart`. */
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

/** Starts the time limit of a run. `wait` waits for work hardly longer than that, although the work may never look at the signal. */
export function startDeadline(
  {
    signal,
    timeoutMs: maxMs = Number.POSITIVE_INFINITY,
  }: Pick<CallOptions, "signal" | "timeoutMs">,
  { runTimeoutMs }: Pick<Limits, "runTimeoutMs">,
) {
  const timeoutMs = Math.min(maxMs, runTimeoutMs);
  const late = () => new ToolrailError("timeout", `The run has taken longer than ${timeoutMs} ms.`);
  const own = ownSignal({ signal, timeoutMs: timeoutMs > 0 ? timeoutMs : undefined, late });
  const wait = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      listenersOf(own.signal).add(() => {
        const { reason } = own.signal;
        // Work that looks at the signal reports itself how it ended.
        if (ToolrailError.isInstance(reason, "timeout")) setTimeout(() => reject(reason), 100);
      });
      work.then(resolve, reject);
    });
  return { signal: own.signal, wait, end: own.end };
}

/** Throws the signal's own reason, as frameworks expect, if `ended` of a chain or `code` of an error is `aborted`. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}

/** Waits, without keeping the process alive. */
export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?: () => void } = setTimeout(resolve, ms);
    timer.unref?.();
  });
}
