import { ToolrailError } from "../errors.ts";
import type { PortOptions } from "./mcp-port.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Gives a request a signal of its own, since clients leave listeners on it. Rejects on abort and when time is up, counted
 * from the start or from the last `restart`.
 */
export async function withOwnSignal<T>(
  { signal, timeoutMs }: Partial<Pick<PortOptions, "signal" | "timeoutMs">>,
  request: (signal: AbortSignal, restart: () => void) => T | PromiseLike<T>,
): Promise<T> {
  const aborter = new AbortController();
  const follow = () => aborter.abort(signal?.reason);
  const late = () =>
    aborter.abort(new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`));
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    if (timeoutMs !== undefined) timer = setTimeout(late, timeoutMs);
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
