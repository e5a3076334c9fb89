/** Counts the steps of a long search: after some of them other work has its turn, and there is an end to them. */
export interface Pace {
  /** Counts steps, about one for each character. Await what it returns: it is there if other work has its turn first. */
  take(steps: number): Promise<void> | undefined;
  /** True once there were more steps than a search may take. */
  isSpent(): boolean;
}

/** Less than 5 ms, and less than 20 in a process that has just begun. */
const STEPS_AT_A_TIME = 15_000;

/** Makes a pace. `most` is how many steps there may be in all. */
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

/** Browsers and edge runtimes have no `setImmediate`. */
function nextTask(): Promise<void> {
  const { setImmediate: soon = (go: () => void) => setTimeout(go, 0) } = globalThis as {
    readonly setImmediate?: (go: () => void) => unknown;
  };
  return new Promise((go) => void soon(go));
}
