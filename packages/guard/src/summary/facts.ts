/** A character of a number or an identifier. In other scripts a word ends where its digits begin. */
const CHARACTER = "[\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{N}\\p{M}_]";
/** Between two of them: any sign but a space, a quotation mark or a bracket. */
const JOINER = '(?![_"“”„«»()<>\\[\\]{}])[\\p{P}\\p{S}\\p{Cf}]';
/** `1 000 000`, and as in `1 000,50`. */
const GROUPED = "\\p{Nd}{1,3}(?: \\p{Nd}{3})+(?!\\p{Nd})(?:[.,]\\p{Nd}+)?";
const SIGN = "(?<![\\p{L}\\p{N}])[-\\p{Sc}]{1,2}";
const UNIT = " ?[%‰°]|\\p{Sc}";
const TOKEN = `(?:${SIGN})?(?:${GROUPED}|${CHARACTER}(?:(?:${JOINER})*${CHARACTER})*)(?:${UNIT})?`;
/** Scripts that set no spaces between words: a quote may begin and end anywhere in them. */
const UNSPACED = ["Han", "Hira", "Kana", "Thai", "Lao", "Khmr", "Mymr"];
const WORD = `(?:(?![${UNSPACED.map((script) => `\\p{sc=${script}}`).join("")}])[\\p{L}\\p{M}\\p{N}_])+`;

const TOKENS = new RegExp(TOKEN, "gu");
const PIECES = new RegExp(`(?:${TOKEN}|${WORD})+|[^]`, "gu");
/** Tokens with a digit, an underscore or an `@`, and addresses: they stand for one thing and no other. */
const IS_FACT = /[\p{N}_@]|:\/\/|\p{L}{2}\.\p{L}{2}/u;

/**
 * The facts of a claim that its evidence does not hold: numbers with their sign, currency and percent,
 * dates, times, identifiers and addresses. Each must stand in the evidence as the claim writes it, so `250`
 * is not in `1,250.00` and `12` not in `2012`. Numbers in words, and units in words, are not seen.
 */
export function missingFacts(claim: string, evidence: string): string[] {
  const known = new Set(tokensOf(evidence));
  return tokensOf(claim).filter((token) => IS_FACT.test(token) && !known.has(token));
}

function tokensOf(text: string): string[] {
  const found = toPlainDashes(text).matchAll(TOKENS);
  return Array.from(found, ([token]) => token.replace(/['’]s$| (?=[%‰°]$)/u, ""));
}

/** All dashes and the minus sign as `-`, at the same positions. */
function toPlainDashes(text: string): string {
  return text.replace(/[\p{Pd}−]/gu, ({ length }) => "-".repeat(length));
}

/**
 * A text with a line break before and after each word, token and other character: a text whose form stands in that of
 * another stands in it word for word, and cuts none of these. Expects a text without line breaks.
 */
export function separate(text: string): string {
  let form = "\n";
  for (const { 0: found, index } of toPlainDashes(text).matchAll(PIECES)) {
    form += `${text.slice(index, index + found.length)}\n`;
  }
  return form;
}
