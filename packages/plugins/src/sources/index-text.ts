import { joinGroups, normalizeText } from "./normalize-text.ts";
import type { Pace } from "./pace.ts";
import { type ExactText, occursWhole, toExact } from "./whole-value.ts";
import { PASSAGE, type Run, sharedPassage, winnow } from "./winnow.ts";

/** A text in overlapping sections that are indexed for searching, so that no step takes long. */
export type IndexedText = readonly Section[];

export interface Section extends ExactText {
  /** The text in normalized form, also with its groups of digits joined. */
  readonly text: string;
  readonly joined: string;
  /** Rules out values by hashes of words, pairs of words and runs of characters. A search of the text must confirm the others. */
  readonly mayHold: HashFilter;
}

/** A value to search for, as written and with its groups joined. */
export type Needle = readonly Form[];

interface Form {
  readonly value: string;
  readonly words: readonly number[];
}

/** The maximum characters of a piece, without its overlap. */
export const PIECE = 16_384;
/** The characters that two pieces share. A longer value may be found only in part. */
const OVERLAP = 1_024;

export function splitPieces(raw: string): readonly string[] {
  const count = Math.max(1, Math.ceil(raw.length / PIECE));
  return Array.from({ length: count }, (_, at) =>
    raw.slice(Math.max(0, at * PIECE - OVERLAP), (at + 1) * PIECE),
  );
}

export async function indexText(raw: string, pace: Pace): Promise<IndexedText> {
  const sections: Section[] = [];
  const pieces = splitPieces(raw);
  for (const [at, piece] of pieces.entries()) {
    sections.push(indexSection(piece, { isFirst: at === 0, isLast: at === pieces.length - 1 }));
    await pace.take(piece.length);
  }
  return sections;
}

function indexSection(raw: string, edges: Pick<Section, "isFirst" | "isLast">): Section {
  const text = normalizeText(raw);
  const joined = joinGroups(text);
  const hashes = hashWords(text);
  for (const { hash } of winnow(text)) hashes.push(hash);
  const { length } = hashes;
  const all = joined === text ? hashes : hashes.concat(hashWords(joined));
  return { ...edges, exact: toExact(raw), text, joined, mayHold: createHashFilter(all, length) };
}

/** Estimates the characters that an index stores. */
export function measureIndex(index: IndexedText): number {
  return index.reduce((sum, { exact, text, joined }) => {
    return sum + exact.length + text.length + (joined === text ? 0 : joined.length);
  }, 0);
}

export function toNeedle(text: string): Needle {
  const joined = joinGroups(text);
  const forms = joined === text ? [text] : [text, joined];
  return forms.map((value) => ({ value, words: hashWords(value) }));
}

/** Returns true if a section contains all of a value, at word boundaries. */
export function holds({ text, joined, mayHold }: Section, needle: Needle): boolean {
  return needle.some((form) => {
    if (!isLikely(mayHold, form)) return false;
    return standsIn(text, form.value) || (joined !== text && standsIn(joined, form.value));
  });
}

/**
 * Returns true if a section contains a value as a whole: see `occursWhole`. `exact` is the result of `toExactValue` for the
 * value.
 */
export function holdsWhole(section: Section, needle: Needle, exact: string): boolean {
  const [form] = needle;
  return form !== undefined && isLikely(section.mayHold, form) && occursWhole(section, exact);
}

function isLikely(mayHold: HashFilter, { words }: Form): boolean {
  return words.length > 0 && words.every(mayHold);
}

function standsIn(text: string, value: string): boolean {
  const isWord = (at: number) => isWordCode(text.charCodeAt(at)); // The code is NaN beyond the ends.
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (!(isWord(at) && isWord(at - 1)) && !(isWord(end - 1) && isWord(end))) return true;
  }
  return false;
}

/** A longer value, with the runs of `winnow`. */
export interface Passages {
  readonly value: string;
  readonly runs: readonly Run[];
  /** Returns true for a passage that does not count. */
  isKnown(passage: string): boolean;
}

/** Returns true if a section contains a passage of at least 31 characters of a value. */
export function holdsPassage(
  { text, mayHold }: Section,
  { value, runs, isKnown }: Passages,
): boolean {
  let shared = 0;
  return runs.some(({ hash, at }) => {
    const passage = mayHold(hash) ? sharedPassage({ text: value, at }, text) : undefined;
    if (passage === undefined) return false;
    // That many shared runs are enough without looking at the text.
    return ++shared > 32 || (passage.length >= PASSAGE && !isKnown(passage));
  });
}

/** Hashes the words of a normalized text, and each two words in a row (FNV-1a, 32 bits). */
function hashWords(text: string): number[] {
  const hashes: number[] = [];
  let hash = START;
  let last: number | undefined;
  const end = () => {
    if (hash === START) return;
    hashes.push(hash);
    if (last !== undefined) hashes.push(Math.imul(last, PRIME) ^ hash);
    last = hash;
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
/** The first code point of scripts without spaces between words, whose characters count as words. */
const NO_SPACES = 0x2e80;

/** Returns true if a character continues the word before it. */
function isWordCode(code: number): boolean {
  if (code >= 128) return code < NO_SPACES;
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

const PROBES = 4;

/** Tests a hash. It is true for every hash of the filter, and for about one in 3,000 others. */
export type HashFilter = (hash: number) => boolean;

/** Creates a Bloom filter of two to four bytes for each hash. `distinct` is the approximate number of different hashes. */
export function createHashFilter(hashes: readonly number[], distinct = hashes.length): HashFilter {
  const mask = 2 ** Math.ceil(Math.log2(distinct * 16 + 32)) - 1;
  const table = new Uint8Array((mask + 1) / 8);
  for (const hash of hashes) {
    for (let probe = 0; probe < PROBES; probe++) {
      const at = spread(hash, probe) & mask;
      table[at >>> 3] = (table[at >>> 3] ?? 0) | (1 << (at & 7));
    }
  }
  return (hash) => {
    for (let probe = 0; probe < PROBES; probe++) {
      const at = spread(hash, probe) & mask;
      if ((((table[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 0) return false;
    }
    return true;
  };
}

function spread(hash: number, probe: number): number {
  const mixed = Math.imul(hash ^ Math.imul(probe, 0x9e3779b1), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 15);
}
