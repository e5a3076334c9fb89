import { ToolrailError } from "../errors.ts";
import type { PortOptions } from "./mcp-port.ts";

/** Waits for work that may never look at the signal, and no longer than until that aborts: rejects with its reason. */
export function untilAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  return signal ? raceAbort(work, signal) : Promise.resolve(work);
}

async function raceAbort<T>(work: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Gives a request a signal of its own, since clients leave listeners on it. Rejects on abort, and with `late` when time is
 * up, counted from the start or from the last `restart`.
 */
export async function withOwnSignal<T>(
  {
    signal,
    timeoutMs,
    late = () => new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`),
  }: Partial<Pick<PortOptions, "signal" | "timeoutMs">> & { late?: () => ToolrailError },
  request: (signal: AbortSignal, restart: () => void) => T | PromiseLike<T>,
): Promise<T> {
  const aborter = new AbortController();
  const follow = () => aborter.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    if (timeoutMs !== undefined) timer = setTimeout(() => aborter.abort(late()), timeoutMs);
  };
  restart();
  try {
    aborter.signal.throwIfAborted();
    return await untilAborted(request(aborter.signal, restart), aborter.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
}

/** Throws the signal's own reason, as frameworks expect, where `ended` of a chain or `code` of an error says it. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}
