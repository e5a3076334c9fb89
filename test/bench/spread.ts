/** What was measured, and the bounds that a tenth of all rounds lies below and above. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * How many times as long one took as the other: the median of the ratios, round by round, since both had the same machine
 * in a round. The bounds are of the same ratios.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  const ratios = sorted(pairs(ours, theirs).map(([our, their]) => our / their));
  const [low, value, high] = [0.1, 0.5, 0.9].map((share) => quantile(ratios, share));
  return { value, low, high } as Spread;
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((one, other) => one - other);
}

function pairs(ours: readonly number[], theirs: readonly number[]): [number, number][] {
  if (ours.length !== theirs.length) throw new Error("Both must be of the same rounds.");
  return ours.map((our, round) => [our, theirs[round] ?? Number.NaN]);
}

/** Between two values it is the line from one to the other. */
function quantile(ordered: readonly number[], share: number): number {
  const place = (ordered.length - 1) * share;
  const below = ordered[Math.floor(place)] ?? Number.NaN;
  const above = ordered[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place % 1);
}
