/** The names of options by other names that people write for them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  args: "arguments",
  input: "arguments",
  idempotencyKey: "key",
  policy: "authorize",
  plugins: "use",
};

/**
 * Finds the name that was probably meant, or `undefined`. The best match has the fewest different letters, at most a third
 * of them. Otherwise the first name matches that contains the written one, or is contained in it.
 */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, written) ? OTHER_NAMES[written] : undefined;
  if (other !== undefined && names.includes(other)) return other;
  const text = written.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - text.length) >= least) continue;
    const distance = countChanges(text, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  if (best !== undefined || text.length < 4) return best;
  return names.find((name) => {
    const known = name.toLowerCase();
    return known.includes(text) || (known.length >= 4 && text.includes(known));
  });
}

/** Returns the end of an error about an unknown name: the nearest name, or a list of all. */
export function suggestName(written: string, names: readonly string[]): string {
  const nearest = nearestName(written, names);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  return `Use one of ${names.join(", ") || "none"}.`;
}

/** Counts the letters to insert, remove, replace or swap with a neighbour. */
function countChanges(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const ways = [
        (current[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      if (isSwapped && row > 1 && column > 1) ways.push((beforeLast[column - 2] ?? 0) + 1);
      current.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
