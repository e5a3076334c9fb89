/** The microseconds that one call took, in each round. */
export type Timed<Name extends string> = Readonly<Record<Name, readonly number[]>>;

export interface CompareOptions {
  /** How long rounds go on, in milliseconds. Warming up comes before. */
  readonly forMs: number;
  /** What is done before each turn, and not timed. */
  readonly before?: (() => void) | undefined;
}

/** What a turn of one run should take: shorter than what a busy machine gives a process at a time. */
const TURN_MS = 1;
/** The shortest of so many turns is what a round counts: what else the machine does can only add to one. */
const TURNS = 3;
/** What takes longer is interrupted in any case: one turn is as good as three. */
const LONG_MS = 5;
const LEAST_ROUNDS = 5;
/** What each is run for at least before it is timed, and with all others: an engine compiles what runs often, in steps. */
const WARM_MS = 150;

/**
 * Times runs by turns, in many short rounds and in changing order, so that whatever else the machine does falls on all
 * of them alike.
 */
export async function compare<Name extends string>(
  runs: Readonly<Record<Name, () => unknown>>,
  { forMs, before }: CompareOptions,
): Promise<Timed<Name>> {
  const names = Object.keys(runs) as Name[];
  const shortestUs = await warmUp(runs, Math.max(forMs / 2, WARM_MS * names.length));
  const calls = perName(names, (name) => Math.ceil((TURN_MS * 1_000) / shortestUs[name]));
  const turns = Math.max(...Object.values<number>(shortestUs)) > LONG_MS * 1_000 ? 1 : TURNS;
  const timed = perName<Name, number[]>(names, () => []);
  const endMs = performance.now() + forMs;
  for (let round = 0; round < LEAST_ROUNDS || performance.now() < endMs; round++) {
    const shortest = perName(names, () => Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < turns; turn++) {
      for (const name of orderOf(names, round * turns + turn)) {
        before?.();
        shortest[name] = Math.min(shortest[name], await timeOf(runs[name], calls[name]));
      }
    }
    for (const name of names) timed[name].push(shortest[name]);
  }
  return timed;
}

/** Runs all until this process was busy with it for so long, and tells the shortest microseconds of each. */
async function warmUp<Name extends string>(
  runs: Readonly<Record<Name, () => unknown>>,
  busyMs: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(runs) as Name[];
  const shortest = perName(names, () => Number.POSITIVE_INFINITY);
  const start = process.cpuUsage();
  const endMs = performance.now() + busyMs * 4;
  do {
    for (const name of names) {
      shortest[name] = Math.min(shortest[name], await timeOf(runs[name], 1));
    }
  } while (busySince(start) < busyMs && performance.now() < endMs);
  return shortest;
}

function busySince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function perName<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** Each name stands first in turn, and every second round runs backwards. */
export function orderOf<Name>(names: readonly Name[], round: number): readonly Name[] {
  const first = Math.floor(round / 2) % names.length;
  const turned = [...names.slice(first), ...names.slice(0, first)];
  return round % 2 === 0 ? turned : turned.toReversed();
}

async function timeOf(run: () => unknown, calls: number): Promise<number> {
  const startMs = performance.now();
  for (let call = 0; call < calls; call++) await run();
  return ((performance.now() - startMs) * 1_000) / calls;
}
