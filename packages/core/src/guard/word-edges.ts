/** Scripts that set no spaces between words, so that no edge of a word can be told. */
const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}";
/** A character of a word or a number. */
const WORD = `(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_]`;
/** Joins what is one word or one address: `non-refundable`, `can't`, `a.b@c`. */
const JOINER = "[-.@'’]";

const ENDS_IN_WORD = new RegExp(`${WORD}$`, "u");
const BEGINS_IN_WORD = new RegExp(`^${WORD}`, "u");
const ENDS_JOINED = new RegExp(`${WORD}${JOINER}?$`, "u");
const BEGINS_JOINED = new RegExp(`^${JOINER}?${WORD}`, "u");
const ACCENT = /^\p{M}/u;

const BEGINS_WITH_DIGIT = /^\p{Sc}?\d/u;
/** What a number loses that is cut after it: digits, its sign, `12:` of a time, `1` of `1 000`. */
const ENDS_IN_NUMBER = /\d[.,:/]$|(^|[^\p{L}\p{N}])[-−]\p{Sc}?$/u;
const BEGINS_IN_NUMBER = /^[.,:/]\d|^ ?%/;
const BEGINS_WITH_GROUP = /^\d{3}(?!\d)/;
const ENDS_WITH_FIRST_GROUP = /(?<!\d)\d{1,3} $/;
const SHORT_NUMBER = /(?<!\d)\d{1,3}$/;
const SCALE = /^[ -](hundred|thousand|million|billion|trillion)/i;

/** Most places that are looked at for one quote. */
const MAX_PLACES = 1_000;

/** True where a text stands in a source to the letter, and is cut at neither end out of a word or a number. */
export function standsIn(source: string, text: string): boolean {
  let at = source.indexOf(text);
  for (let places = 0; at >= 0 && places < MAX_PLACES; places++) {
    const end = at + text.length;
    if (!isCut(source.slice(Math.max(0, at - 6), at), text, source.slice(end, end + 12))) {
      return true;
    }
    at = source.indexOf(text, at + 1);
  }
  return false;
}

function isCut(before: string, text: string, after: string): boolean {
  const start = text.slice(0, 8);
  const ending = text.slice(-8);
  if (BEGINS_IN_WORD.test(start) && ENDS_JOINED.test(before)) return true;
  if (ENDS_IN_WORD.test(ending) && BEGINS_JOINED.test(after)) return true;
  if (ACCENT.test(after) || SCALE.test(after)) return true;
  if (BEGINS_WITH_DIGIT.test(start) && ENDS_IN_NUMBER.test(before)) return true;
  if (BEGINS_WITH_GROUP.test(start) && ENDS_WITH_FIRST_GROUP.test(before)) return true;
  if (!/\d$/.test(ending)) return false;
  const isGroup = SHORT_NUMBER.test(ending) && /^ \d{3}(?!\d)/.test(after);
  return isGroup || BEGINS_IN_NUMBER.test(after);
}

/** How much a text says: its letters and digits, a character of an unspaced script counting twice. */
export function weightOf(text: string): number {
  const plain = text.replace(/[^\p{L}\p{N}]/gu, "");
  return plain.replace(new RegExp(`[${UNSPACED}]`, "gu"), "xx").length;
}
