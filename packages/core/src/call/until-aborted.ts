import { ToolrailError } from "../errors.ts";
import type { CallOptions } from "./call-options.ts";
import type { Limits } from "./limits.ts";

/** Waits for work that may never look at the signal. If the signal aborts first, rejects with its reason. */
export function untilAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return Promise.resolve(work);
  return new Promise<T>((resolve, reject) => {
    const listeners = listenersOf(signal);
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else listeners.add(stop);
    const end = () => listeners.delete(stop);
    void Promise.resolve(work).then(resolve, reject).then(end);
  });
}

/** The key of the abort listeners on signals that are made here. Listeners of the signal itself would take several times as long. */
const LISTENERS = Symbol("toolrail.abort-listeners");
type OwnSignal = AbortSignal & { [LISTENERS]?: Set<() => void> };

const listenersOf = (signal: OwnSignal): Record<"add" | "delete", (listener: () => void) => void> =>
  signal[LISTENERS] ?? {
    add: (listener) => signal.addEventListener("abort", listener),
    delete: (listener) => signal.removeEventListener("abort", listener),
  };

interface Bounds {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly late?: () => ToolrailError;
}

/** A signal that aborts with the given signal, or when time is up. Clients leave listeners on a signal, so each request gets a new one. */
class Deadline {
  readonly signal: AbortSignal;
  readonly #aborter = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #given: AbortSignal | undefined;
  readonly #follow = () => this.#abort(this.#given?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ signal, timeoutMs, late }: Bounds) {
    this.signal = this.#aborter.signal;
    (this.signal as OwnSignal)[LISTENERS] = this.#listeners;
    this.#given = signal;
    if (signal?.aborted) this.#follow();
    else if (signal) listenersOf(signal).add(this.#follow);
    if (timeoutMs === undefined) return;
    const inTime = () => new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`);
    this.#timer = setTimeout(() => this.#abort((late ?? inTime)()), timeoutMs);
  }

  #abort(reason: unknown): void {
    this.#aborter.abort(reason);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Waits for work hardly longer than the time, although the work may never look at the signal. */
  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#listeners.add(() => {
        const { reason } = this.signal;
        // Work that looks at the signal reports itself how it ended.
        if (ToolrailError.isInstance(reason, "timeout")) setTimeout(() => reject(reason), 100);
      });
      work.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#given) listenersOf(this.#given).delete(this.#follow);
  }
}

/** Starts the time of a run. `end` it in any case. */
export function startDeadline(
  { signal, timeoutMs: maxMs = Infinity }: Pick<CallOptions, "signal" | "timeoutMs">,
  { runTimeoutMs }: Pick<Limits, "runTimeoutMs">,
): Deadline {
  const timeoutMs = Math.min(maxMs, runTimeoutMs);
  const late = () => new ToolrailError("timeout", `The run has taken longer than ${timeoutMs} ms.`);
  return new Deadline({ signal, timeoutMs: timeoutMs > 0 ? timeoutMs : undefined, late });
}

/** Gives a request a separate signal. Rejects on abort, and with `late` when time is up. */
export async function withOwnSignal<T>(
  bounds: Bounds,
  request: (signal: AbortSignal) => T | PromiseLike<T>,
): Promise<T> {
  const deadline = new Deadline(bounds);
  const { signal } = deadline;
  try {
    signal.throwIfAborted();
    return await untilAborted(request(signal), signal);
  } finally {
    deadline.end();
  }
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
