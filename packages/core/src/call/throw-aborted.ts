import { ToolrailError } from "../errors.ts";

/**
 * Throws the signal's own reason where a run or a call ended because it was aborted, as frameworks expect it.
 * Pass the `ended` of a chain, or the `code` of an error or of a guarded outcome.
 */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}

/**
 * Throws the error of a run that came to a call which another worker is making: frameworks must keep nothing of
 * such a run, since it is to go on later.
 */
export function throwClaimed(error: Pick<ToolrailError, "code" | "message"> | undefined): void {
  if (error?.code !== "claimed-elsewhere") return;
  throw new ToolrailError("claimed-elsewhere", error.message);
}
