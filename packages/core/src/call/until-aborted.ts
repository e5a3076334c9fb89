import { ToolrailError } from "../errors.ts";
import type { CallOptions } from "../types/call-options.ts";
import type { Limits } from "../types/limits.ts";

/** Waits for work that may never look at the signal, and no longer than until that aborts: rejects with its reason. */
export function untilAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    const told = toldBy(signal);
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else told.add(stop);
    Promise.resolve(work).then(
      (value) => {
        told.delete(stop);
        resolve(value);
      },
      (cause) => {
        told.delete(stop);
        reject(cause);
      },
    );
  });
}

/** On signals made here: who is told of the abort. Listeners of the signal itself would take several times as long. */
const TOLD = Symbol("toolrail.told");
type OwnSignal = AbortSignal & { [TOLD]?: Set<() => void> };

const toldBy = (signal: OwnSignal): Record<"add" | "delete", (listener: () => void) => void> =>
  signal[TOLD] ?? {
    add: (listener) => signal.addEventListener("abort", listener),
    delete: (listener) => signal.removeEventListener("abort", listener),
  };

interface Bounds {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly late?: () => ToolrailError;
}

/** On the signal of a pipe that is a tool: how many pipes are around its steps. */
export const DEPTH = Symbol.for("toolrail.pipe.depth");

/** A signal of its own, since clients leave listeners on it: it aborts with another one, or when time is up. */
function ownSignal({
  signal,
  timeoutMs,
  late = () => new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`),
}: Bounds) {
  const aborter = new AbortController();
  const own: OwnSignal = aborter.signal;
  const told = new Set<() => void>();
  own[TOLD] = told;
  if (signal && DEPTH in signal) Object.assign(own, { [DEPTH]: signal[DEPTH] });
  const abort = (reason: unknown) => {
    aborter.abort(reason);
    for (const listener of told) listener();
    told.clear();
  };
  const follow = () => abort(signal?.reason);
  if (signal?.aborted) follow();
  else if (signal) toldBy(signal).add(follow);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    if (timer !== undefined) clearTimeout(timer);
  };
  const restart = () => {
    stop();
    if (timeoutMs === undefined) return;
    try {
      timer = setTimeout(() => abort(late()), timeoutMs);
    } catch {} // There are no timers in a workflow's sandbox.
  };
  restart();
  const end = () => {
    stop();
    if (signal) toldBy(signal).delete(follow);
  };
  return { signal: own, restart, end };
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
  const own = ownSignal({ signal, timeoutMs: timeoutMs > 0 ? timeoutMs : undefined, late });
  const wait = <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      toldBy(own.signal).add(() => {
        const { reason } = own.signal;
        // Work that looks at the signal says itself how it ended.
        if (ToolrailError.isInstance(reason, "timeout")) setTimeout(() => reject(reason), 100);
      });
      work.then(resolve, reject);
    });
  return { signal: own.signal, wait, end: own.end };
}

/** Throws the signal's own reason, as frameworks expect, where `ended` of a chain or `code` of an error says it. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}
