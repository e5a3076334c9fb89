/** Throws the signal's own reason, as frameworks expect, where `ended` of a chain or `code` of an error says it. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}
