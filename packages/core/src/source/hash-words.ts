/** Hashes of the words of a normalised text (FNV-1a, 32 bits). */
export function hashWords(text: string): number[] {
  const hashes: number[] = [];
  let hash = START;
  const end = () => {
    if (hash !== START) hashes.push(hash);
    hash = START;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!isWordCode(code)) end();
    if (isWordCode(code) || code >= NO_SPACES) hash = Math.imul(hash ^ code, PRIME);
    if (code >= NO_SPACES) end();
  }
  end();
  return hashes;
}

const START = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** From this code point on, scripts without spaces between words: each character counts as a word. */
const NO_SPACES = 0x2e80;

/** True for a character that continues the word before it. */
export function isWordCode(code: number): boolean {
  if (code >= 128) return code < NO_SPACES;
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** The hashes, sorted and without duplicates, for searching. */
export function toSorted(hashes: Iterable<number>): Int32Array {
  return Int32Array.from(new Set(hashes)).sort();
}

/** The first index from `from` on in a sorted list whose value is not less, found in growing steps. */
export function seek(sorted: Int32Array, value: number, { from = 0 } = {}): number {
  let [low, step] = [from, 1];
  for (; low + step < sorted.length && (sorted[low + step] ?? 0) < value; step *= 2) low += step;
  let high = Math.min(low + step, sorted.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
