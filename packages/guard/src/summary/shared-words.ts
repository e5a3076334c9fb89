/** Words that say nothing of what a text is about. */
const EMPTY = new Set(
  "the and was were are has had have been that this with for from not but its their they will".split(
    " ",
  ),
);

/** The shortest beginning that counts as the same word: `invoice` and `invoices`. */
const MIN_STEM = 4;

/** True if two texts have a word in common that says something, or the beginning of one. */
export function sharesWord(one: string, other: string): boolean {
  const words = wordsOf(other);
  return wordsOf(one).some((word) => words.some((known) => isSame(word, known)));
}

function isSame(one: string, other: string): boolean {
  const [short = "", long = ""] = [one, other].sort((a, b) => a.length - b.length);
  return one === other || (short.length >= MIN_STEM && long.startsWith(short));
}

/** The words of a text in any script, in lower case. Short ones of letters alone are left out. */
function wordsOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: "word" }).segment(text);
  const words = Array.from(segments, ({ segment, isWordLike }) => {
    return isWordLike ? segment.normalize("NFC").toLowerCase() : "";
  });
  const isShort = (word: string) => /^[a-z]{1,2}$/.test(word);
  return [...new Set(words)].filter((word) => word !== "" && !isShort(word) && !EMPTY.has(word));
}
