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

/** Throws the signal's own reason, as frameworks expect, where `ended` of a chain or `code` of an error says it. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}
