/** Where values stand between two places, and where lines are drawn for the eye. */
export interface Scale {
  readonly ticks: readonly number[];
  place(value: number): number;
}

export interface Range {
  readonly ticks: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** A scale from the first tick to the last. Values outside stand at its ends. */
export function linear({ ticks, from, to }: Range): Scale {
  return scaleOf({ ticks, from, to }, (value) => value);
}

export function logarithmic({ ticks, from, to }: Range): Scale {
  return scaleOf({ ticks, from, to }, (value) => Math.log(Math.max(value, Number.MIN_VALUE)));
}

function scaleOf({ ticks, from, to }: Range, bend: (value: number) => number): Scale {
  const first = bend(ticks[0] ?? 0);
  const last = bend(ticks.at(-1) ?? 1);
  return {
    ticks,
    place(value) {
      const share = (bend(value) - first) / (last - first);
      return from + Math.min(1, Math.max(0, share)) * (to - from);
    },
  };
}

/** Powers of so much, from below the least value to above the greatest. */
export function powersAround(values: readonly number[], base: number): number[] {
  const exponent = (value: number) => Math.log(value) / Math.log(base);
  const first = Math.floor(exponent(Math.min(...values)) + 1e-9);
  const last = Math.ceil(exponent(Math.max(...values)) - 1e-9);
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, at) => base ** (first + at));
}

/** Round numbers from nought to above the greatest value, in at most six steps. */
export function stepsTo(most: number): number[] {
  const step = [0.25, 0.5, 1, 2, 5, 10].find((size) => most / size <= 6) ?? most / 6;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, at) => at * step);
}
