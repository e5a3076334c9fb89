// Long texts of one language would share too many runs of 16 characters by chance, in windows of 16.
const RUN = 24;
const WINDOW = 8;
const BASE = 0x01000193;
/** The minimum length of a copied passage that is certainly found. */
export const PASSAGE = RUN + WINDOW - 1;

export interface Run {
  readonly hash: number;
  readonly at: number;
}

/**
 * Selects runs of a text: of every 8 in a row, the one with the smallest hash. Any two texts that share 31 characters share one
 * of these runs (winnowing by Schleimer, Wilkerson and Aiken, 2003).
 */
export function winnow(text: string): readonly Run[] {
  const runs: Run[] = [];
  if (text.length < PASSAGE) return runs;
  const hashes = new Int32Array(text.length - RUN + 1);
  let power = 1; // The factor of the first character of a run.
  for (let at = 1; at < RUN; at++) power = Math.imul(power, BASE);
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    if (at >= RUN) hash -= Math.imul(text.charCodeAt(at - RUN), power);
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
    if (at >= RUN - 1) hashes[at - RUN + 1] = hash;
  }
  for (let least = -1, end = WINDOW - 1; end < hashes.length; end++) {
    const before = least;
    least = Math.max(least, end - WINDOW + 1);
    for (let at = least === before ? end : least; at <= end; at++)
      if ((hashes[at] ?? 0) <= (hashes[least] ?? 0)) least = at;
    if (least !== before) runs.push({ hash: hashes[least] ?? 0, at: least });
  }
  return runs;
}

/**
 * Finds the passage around a run of 24 characters in two texts. Returns `undefined` if the other text does not contain the run. A
 * passage shorter than `PASSAGE` is no evidence of a copy.
 */
export function sharedPassage(
  { text, at }: { readonly text: string; readonly at: number },
  other: string,
): string | undefined {
  const run = text.slice(at, at + RUN);
  let passage: string | undefined;
  let there = other.indexOf(run);
  for (let tries = 0; there >= 0 && tries < 64; tries++) {
    let [before, after] = [0, RUN];
    while (before < Math.min(at, there) && text[at - before - 1] === other[there - before - 1])
      before++;
    while (at + after < text.length && text[at + after] === other[there + after]) after++;
    passage = text.slice(at - before, at + after);
    if (passage.length >= PASSAGE) break;
    there = other.indexOf(run, there + 1);
  }
  return passage;
}
