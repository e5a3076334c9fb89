/**
 * Runs a call with a signal of its own, that follows the given one and the clock. Clients leave their
 * listeners on the signal they get: this one goes when the call is over.
 */
export async function withOwnSignal<T>(
  outer: AbortSignal | undefined,
  timeoutMs: number | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborter = new AbortController();
  const follow = () => aborter.abort(outer?.reason);
  if (outer?.aborted) follow();
  outer?.addEventListener("abort", follow, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => aborter.abort(), timeoutMs);
  try {
    return await call(aborter.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", follow);
  }
}
