/**
 * Throws the signal's own reason where a run or a call ended because it was aborted, as frameworks expect it.
 * Pass the `ended` of a chain, or the `code` of an error or of a guarded outcome.
 */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}
