/** Says whether a text stands in a source word for word: with something of a value, or only with keys. */
export type QuoteTest = (quote: string) => "value" | "keys" | undefined;

/**
 * Prepares a source to be quoted from: a text, or a value as its JSON and the texts in it. Line breaks
 * and runs of spaces count as one space, and JSON escapes as what they stand for; all else must be the
 * same to the letter. A quote holds a letter or a digit, and neither begins nor ends inside a word, a number or an
 * identifier.
 */
export function createQuoteTest(source: unknown): QuoteTest {
  const texts = typeof source === "string" ? [source] : [];
  const value = typeof source === "string" ? parseJson(source) : source;
  const toForm = (text: string) => separate(collapse(text));
  const forms = [...texts, ...formsOf(value)].map(toForm);
  const values = (isStructure(value) ? leavesOf(value).map(String) : texts).map(toForm);
  const standsIn = (all: readonly string[], text: string) =>
    HAS_WORD.test(text) && all.some((one) => one.includes(toForm(text)));
  return (quote) => {
    const wanted = [quote, unescapeJson(quote)];
    if (!wanted.some((text) => standsIn(forms, text))) return undefined;
    // A quote of JSON falls apart into keys and values, of which the first and the last may be cut.
    const parts = wanted.flatMap((text) => [text, ...text.split(/[[\]{}:,"]+/)]);
    return parts.some((text) => standsIn(values, text)) ? "value" : "keys";
  };
}

const HAS_WORD = /[\p{L}\p{N}]/u;

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The values in a value that hold no others. */
function leavesOf(value: unknown): unknown[] {
  return isStructure(value) ? Object.values(value).flatMap(leavesOf) : [value];
}

/** The ways in which a value can be quoted. */
function formsOf(value: unknown): string[] {
  const spaced = collapse(JSON.stringify(value, null, 1) ?? "");
  const inLine = spaced.replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
  const texts = leavesOf(value).filter((leaf) => typeof leaf === "string");
  return [JSON.stringify(value) ?? "", spaced, inLine, ...texts];
}

/** Normalizes a text, so that a source and a quote of it have the same form. */
export function collapse(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

/** The text that a quote with JSON escapes stands for, or the quote itself if it is not JSON. */
export function unescapeJson(quote: string): string {
  if (!quote.includes("\\")) return quote;
  const parsed = parseJson(`"${quote}"`);
  return typeof parsed === "string" ? parsed : quote;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
function separate(text: string): string {
  let form = "\n";
  for (const { 0: found, index } of toPlainDashes(text).matchAll(PIECES)) {
    form += `${text.slice(index, index + found.length)}\n`;
  }
  return form;
}

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
