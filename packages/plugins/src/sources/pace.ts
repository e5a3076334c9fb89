/** Counts the steps of a long search, which pauses for other work and ends at a limit. */
export interface Pace {
  /** Counts steps, about one for each character. If it returns a promise, await it: other work goes first. */
  take(steps: number): Promise<void> | undefined;
  isSpent(): boolean;
}

/** The steps between two pauses: less than 5 ms, or 20 ms in a process that has just begun. */
const STEPS_AT_A_TIME = 15_000;

/** Creates a pace. `most` is the maximum number of steps. */
export function createPace({
  most = Number.POSITIVE_INFINITY,
  pause = nextTask,
}: {
  readonly most?: number;
  readonly pause?: () => Promise<void>;
} = {}): Pace {
  let [total, since] = [0, 0];
  return {
    take(steps) {
      total += steps;
      since += steps;
      if (since < STEPS_AT_A_TIME) return undefined;
      since = 0;
      return pause();
    },
    isSpent: () => total > most,
  };
}

/** Waits for other tasks. Browsers and edge runtimes have no `setImmediate`. */
function nextTask(): Promise<void> {
  const { setImmediate: soon = (go: () => void) => setTimeout(go, 0) } = globalThis as {
    readonly setImmediate?: (go: () => void) => unknown;
  };
  return new Promise((go) => void soon(go));
}
