import { createHashFilter, type HashFilter } from "./hash-filter.ts";
import { joinGroups, normalizeText } from "./normalize-text.ts";
import { PASSAGE, type Run, sharedPassage, winnow } from "./winnow.ts";

/** A text, indexed for searching. */
export interface IndexedText {
  readonly text: string;
  /** By hashes of words and runs of characters, it rules out what is not in the text; the text confirms the rest. */
  readonly mayHold: HashFilter;
}

/** A value to find, as written and with its groups joined. */
export type Needle = readonly { readonly value: string; readonly words: readonly number[] }[];

export function indexText(raw: string): IndexedText {
  const text = normalizeText(raw);
  const hashes = new Set(formsOf(text).flatMap(hashWords));
  for (const { hash } of winnow(text)) hashes.add(hash);
  return { text, mayHold: createHashFilter(hashes) };
}

export function toNeedle(text: string): Needle {
  return formsOf(text).map((value) => ({ value, words: hashWords(value) }));
}

/** A text as written and, where that differs, with its groups joined. */
function formsOf(text: string): readonly string[] {
  const joined = joinGroups(text);
  return joined === text ? [text] : [text, joined];
}

/** True if a text contains all of a value, at word boundaries. */
export function holds({ text, mayHold }: IndexedText, needle: Needle): boolean {
  return needle.some(({ value, words }) => {
    const isLikely = words.length > 0 && words.every(mayHold);
    return isLikely && (standsIn(text, value) || standsIn(joinGroups(text), value));
  });
}

function standsIn(text: string, value: string): boolean {
  const isWord = (at: number) => isWordCode(text.charCodeAt(at)); // NaN beyond the ends is none.
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (!(isWord(at) && isWord(at - 1)) && !(isWord(end - 1) && isWord(end))) return true;
  }
  return false;
}

/** A longer value, with what `winnow` makes of it. */
export interface Passages {
  readonly value: string;
  readonly runs: readonly Run[];
  /** True for a passage that does not count. */
  isKnown(passage: string): boolean;
}

/** True if a text contains a passage of at least 31 characters of a value. */
export function holdsPassage(
  { text, mayHold }: IndexedText,
  { value, runs, isKnown }: Passages,
): boolean {
  let shared = 0;
  return runs.some(({ hash, at }) => {
    const passage = mayHold(hash) ? sharedPassage({ text: value, at }, text) : undefined;
    if (passage === undefined) return false;
    // This many shared runs of characters are enough; there is no need to look at each.
    return ++shared > 32 || (passage.length >= PASSAGE && !isKnown(passage));
  });
}

/** Hashes of the words of a normalised text (FNV-1a, 32 bits). */
function hashWords(text: string): number[] {
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
function isWordCode(code: number): boolean {
  if (code >= 128) return code < NO_SPACES;
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}
