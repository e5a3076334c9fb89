/** Places for calls: `maxParallel` of them for a whole run, however its groups are nested. */
export interface Slots {
  /** Takes a place if one is free. */
  tryEnter(): boolean;
  /** Takes the next place that becomes free, first come, first served. */
  enter(): Promise<void>;
  leave(): void;
}

export function createSlots(maxParallel: number): Slots {
  let free = maxParallel;
  const waiting: (() => void)[] = [];
  return {
    tryEnter() {
      if (free === 0) return false;
      free--;
      return true;
    },
    enter: () => new Promise((resolve) => waiting.push(resolve)),
    leave() {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}
