/** What was measured, and the bounds that a tenth of all rounds lies below and above. */
export interface Spread {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * How many times as long one took as the other: in the quickest tenth of their rounds, since what else the machine does can
 * only add to a round, and not to every one. The bounds are those of the ratios, round by round.
 */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  const ratios = sorted(pairs(ours, theirs).map(([our, their]) => our / their));
  const value = quantile(sorted(ours), 0.1) / quantile(sorted(theirs), 0.1);
  return { value, low: quantile(ratios, 0.1), high: quantile(ratios, 0.9) };
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
