/** Makes a call in the next place that becomes free, first come, first served. */
export type Slots = <T>(call: () => Promise<T>) => Promise<T>;

/** Places for calls: `maxParallel` of them for a whole run, however its groups are nested. */
export function createSlots(maxParallel: number): Slots {
  let free = maxParallel;
  const waiting: (() => void)[] = [];
  return async (call) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
