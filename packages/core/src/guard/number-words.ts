const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES: { readonly [word: string]: number } = {
  hundred: 100,
  dozen: 12,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

const SMALL = `(?:(?:${TENS.join("|")})(?:[- ](?:${ONES.slice(1, 10).join("|")}))?|${ONES.join("|")})`;
const NUMERAL = "\\d[\\d,]*(?:\\.\\d+)?";
const SCALE = `[- ](?:${Object.keys(SCALES).join("|")})`;
const MORE = `(?:${SCALE}(?:(?:,| and)? ${SMALL})?)`;
const PHRASE = new RegExp(
  `(?<![\\p{L}\\p{N}_.,-])(?:(?:${NUMERAL}|an?)${MORE}+|${SMALL}${MORE}*)(?![\\p{L}\\p{N}_])`,
  "giu",
);

/**
 * The text with English numbers in words as numerals: `five` as 5, `2.5 million` as 2500000. `one` alone
 * stays, since it mostly counts nothing.
 */
export function readNumberWords(text: string): string {
  return text.replace(PHRASE, (phrase) =>
    phrase.toLowerCase() === "one" ? phrase : String(quantityOf(phrase)),
  );
}

function quantityOf(phrase: string): number {
  const words = phrase.toLowerCase().replaceAll(",", "").split(/[- ]/);
  let total = 0;
  let current = 0;
  for (const word of words) {
    const scale = SCALES[word];
    if (scale === undefined) current += smallValue(word);
    else if (scale < 1e3) current *= scale;
    else {
      total += current * scale;
      current = 0;
    }
  }
  return Number((total + current).toPrecision(15));
}

function smallValue(word: string): number {
  if (word === "a" || word === "an") return 1;
  if (ONES.includes(word)) return ONES.indexOf(word);
  return TENS.includes(word) ? (TENS.indexOf(word) + 2) * 10 : Number(word) || 0;
}
