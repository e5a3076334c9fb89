const LONGEST_MS = 300_000;

/** Calls a listener with an event, and waits for it, by default for five minutes at most. Its errors are dropped. */
export async function notify<Event>(
  listener: ((event: Event) => void | PromiseLike<void>) | undefined,
  event: Event,
  longestMs = LONGEST_MS,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const handled = listener?.(event);
    if (handled === undefined) return;
    const late = new Promise<void>((resolve) => {
      // The sandbox of a workflow has no timers.
      if (longestMs < Number.POSITIVE_INFINITY) timer = globalThis.setTimeout?.(resolve, longestMs);
    });
    await Promise.race([handled, late]);
  } catch {
    // The call was made. It must not look failed, since a model would repeat it.
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
