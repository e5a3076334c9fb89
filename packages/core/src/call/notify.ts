const LONGEST_MS = 300_000;

/** Reports, once for each name, that a listener has thrown an error. */
export interface Warns {
  warn(code: "listener-failed", listener: string): void;
}

/**
 * Calls a listener, given by its name as in `{ onHop }`, with an event, and waits for it, by default for five minutes at most. Its
 * error becomes one warning: the call was made, and must not look failed, since a model would repeat it.
 */
export async function notify<Event>(
  listeners: { readonly [name: string]: ((event: Event) => unknown) | undefined },
  event: Event,
  { warn, longestMs = LONGEST_MS }: Warns & { readonly longestMs?: number },
): Promise<void> {
  for (const [name, listener] of Object.entries(listeners)) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const handled = listener?.(event);
      if (handled === undefined) continue;
      const late = new Promise<void>((resolve) => {
        // The sandbox of a workflow has no timers.
        if (longestMs < Number.POSITIVE_INFINITY)
          timer = globalThis.setTimeout?.(resolve, longestMs);
      });
      await Promise.race([handled, late]);
    } catch {
      warn("listener-failed", name);
    } finally {
      if (timer !== undefined) clearTimeout(timer);
    }
  }
}
