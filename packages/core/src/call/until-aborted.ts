import { ToolrailError } from "../errors.ts";

/** Waits for work that may never look at the signal. If the signal aborts first, rejects with its reason. */
export function untilAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    const end = () => signal.removeEventListener("abort", stop);
    void Promise.resolve(work).then(resolve, reject).then(end);
  });
}

/** A signal that aborts with the given one. Clients leave listeners on a signal, so each call gets its own. End it in any case. */
export class OwnSignal {
  readonly #aborter = new AbortController();
  readonly #given: AbortSignal | undefined;
  readonly #follow = () => this.abort(this.#given?.reason);

  constructor(given: AbortSignal | undefined) {
    this.#given = given;
    if (given?.aborted) this.#follow();
    given?.addEventListener("abort", this.#follow);
  }

  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  abort(reason: unknown): void {
    this.#aborter.abort(reason);
  }

  end(): void {
    this.#given?.removeEventListener("abort", this.#follow);
  }
}

interface Bounds {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly late?: () => ToolrailError;
}

/** Gives a request a separate signal. Rejects on abort, and with `late` when time is up. */
export async function withOwnSignal<T>(
  { signal: given, timeoutMs, late = () => noAnswer(timeoutMs) }: Bounds,
  request: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const own = new OwnSignal(given);
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => own.abort(late()), timeoutMs);
  try {
    own.signal.throwIfAborted();
    return await untilAborted(request(own.signal), own.signal);
  } finally {
    clearTimeout(timer);
    own.end();
  }
}

function noAnswer(timeoutMs: number | undefined): ToolrailError {
  return new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`);
}

/** Throws the signal's own reason, as frameworks expect, if `ended` of a chain or `code` of an error is `aborted`. */
export function throwAborted(ended: string, signal: AbortSignal | undefined): void {
  if (ended === "aborted") signal?.throwIfAborted();
}

/** Waits, without keeping the process alive. */
export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?: () => void } = setTimeout(resolve, ms);
    timer.unref?.();
  });
}
