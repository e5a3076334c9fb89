/** Runs, and calls another: lines 2, 5, 6 and 10. */
export function begin(): number {
  // Not counted, nor is the blank line.

  return [1, 2].map(twice).length;
}

export const never = () => 0;

const twice = (value: number) => value * 2;
