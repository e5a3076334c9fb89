/** The longest that a listener is waited for. */
const LONGEST_MS = 300_000;

/**
 * Calls a listener with something that was done, and waits for it, by default for five minutes at most. Its errors are
 * dropped. Whoever has a time limit of its own passes `Infinity`.
 */
export async function notify<Event>(
  listener: ((event: Event) => void | PromiseLike<void>) | undefined,
  event: Event,
  longestMs = LONGEST_MS,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const told = listener?.(event);
    if (told === undefined) return;
    const late = new Promise<void>((resolve) => {
      // A workflow's sandbox has no timers.
      if (longestMs < Number.POSITIVE_INFINITY) timer = globalThis.setTimeout?.(resolve, longestMs);
    });
    await Promise.race([told, late]);
  } catch {
    // The call was made: it must not look as if it had failed, since a model would repeat it.
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}
