import { hashWords, isWordCode, seek, toSorted } from "./hash-words.ts";
import { joinGroups, normalizeText } from "./normalize-text.ts";
import { sharedPassage, winnow } from "./winnow.ts";

/** A text, indexed for searching. */
export interface IndexedText {
  readonly text: string;
  /** Sorted hashes: they rule out what is not in the text; the text confirms the rest. */
  readonly words: Int32Array;
  readonly prints: Int32Array;
}

/** A value to find, as written and with its groups joined. */
export type Needle = readonly { readonly value: string; readonly words: readonly number[] }[];

export function indexText(raw: string): IndexedText {
  const text = normalizeText(raw);
  const groups = text.match(GROUPS)?.join("\n") ?? "";
  const words = toSorted([...hashWords(text), ...hashWords(joinGroups(groups))]);
  return { text, words, prints: toSorted(winnow(text).keys()) };
}

const GROUPS = /\w*\d(?:[ -]\d\w*)+/g;

export function toNeedle(text: string): Needle {
  const forms = [...new Set([text, joinGroups(text)])];
  return forms.map((value) => ({ value, words: hashWords(value) }));
}

/** True if a text contains all of a value, at word boundaries. */
export function holds({ text, words }: IndexedText, needle: Needle): boolean {
  return needle.some(({ value, words: own }) => {
    const isLikely = own.length > 0 && own.every((hash) => words[seek(words, hash)] === hash);
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
  readonly prints: Int32Array;
  readonly places: ReadonlyMap<number, number>;
  /** True for a passage that does not count. */
  isKnown(passage: string): boolean;
}

/** True if a text contains a passage of at least 31 characters of a value. */
export function holdsPassage(
  { text, prints }: IndexedText,
  { value, prints: own, places, isKnown }: Passages,
): boolean {
  let [from, tries] = [0, 0];
  return own.some((print) => {
    from = seek(prints, print, { from });
    if (prints[from] !== print) return false;
    const passage = sharedPassage({ text: value, at: places.get(print) ?? 0 }, text);
    // This many shared runs of characters are enough; there is no need to look at each.
    return ++tries > 32 || (passage !== undefined && !isKnown(passage));
  });
}
