export interface CompareOptions {
  /** How often each runs in a round: a round of each should take some milliseconds. */
  readonly calls: number;
  readonly rounds: number;
}

/**
 * Times runs by turns, in many short rounds and in changing order, so that whatever else the machine does
 * falls on all of them. Returns the microseconds a call took in each round, garbage collection included.
 */
export async function compare<Name extends string>(
  runs: Readonly<Record<Name, () => unknown>>,
  { calls, rounds }: CompareOptions,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(runs) as Name[];
  const timed = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  const warmups = Math.ceil(rounds / 10);
  for (let round = -warmups; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const startMs = performance.now();
      for (let call = 0; call < calls; call++) await runs[name]();
      if (round >= 0) timed[name].push(((performance.now() - startMs) * 1_000) / calls);
    }
  }
  return timed;
}

/** How much longer one took than the other. */
export function ratio(ours: readonly number[], theirs: readonly number[]): number {
  return undisturbed(ours) / undisturbed(theirs);
}

/** The time that only a tenth of the rounds stayed under: what else the machine does can only add to it. */
export function undisturbed(us: readonly number[]): number {
  const sorted = us.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}
