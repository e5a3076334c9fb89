/** Tests whether a source contains a quote: with part of a value, or only keys. */
export type QuoteTest = (quote: string) => "value" | "keys" | undefined;

/**
 * Prepares a source for quotes: a text, or a value as its JSON and the texts in it. Line breaks and runs of spaces count as one
 * space, and JSON escapes as their characters. Everything else must be identical. A quote contains a letter or a digit, and
 * neither begins nor ends inside a word, a number or an identifier.
 */
export function createQuoteTest(source: unknown): QuoteTest {
  const toForm = (text: string) => separate(collapse(text));
  const value = typeof source === "string" ? (parseJson(source) ?? source) : source;
  const leaves = listLeaves(value);
  const texts = [source, ...leaves].filter((one) => typeof one === "string");
  const forms = [...texts, ...listForms(value)].map(toForm);
  const values = leaves.map((leaf) => toForm(String(leaf)));
  const occursIn = (all: readonly string[], text: string) =>
    HAS_WORD.test(text) && all.some((one) => one.includes(toForm(text)));
  return (quote) => {
    const wanted = [quote, unescapeJson(quote)];
    if (!wanted.some((text) => occursIn(forms, text))) return undefined;
    // A quote of JSON is split into keys and values. Its first and last parts may be cut.
    const parts = wanted.flatMap((text) => [text, ...text.split(/[[\]{}:,"]+/)]);
    return parts.some((text) => occursIn(values, text)) ? "value" : "keys";
  };
}

const HAS_WORD = /[\p{L}\p{N}]/u;

/** Lists the values inside a value that contain no others. */
function listLeaves(value: unknown): unknown[] {
  const isLeaf = typeof value !== "object" || value === null;
  return isLeaf ? [value] : Object.values(value).flatMap(listLeaves);
}

/** Writes a value as JSON without spaces, with line breaks, and in one line with spaces. */
function listForms(value: unknown): string[] {
  const spaced = collapse(JSON.stringify(value, null, 1) ?? "");
  const inLine = spaced.replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
  return [JSON.stringify(value) ?? "", spaced, inLine];
}

/** Normalizes a text, so that a source and its quotes have the same form. */
function collapse(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

/** Replaces the JSON escapes of a quote. Returns the quote unchanged if it is not JSON. */
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

/** A character of a number or an identifier. In other scripts, digits end a word. */
const CHARACTER = "[\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{N}\\p{M}_]";
/** A sign between two such characters: any except a space, a quotation mark or a bracket. */
const JOINER = '(?![_"“”„«»()<>\\[\\]{}])[\\p{P}\\p{S}\\p{Cf}]';
/** `1 000 000`, and as in `1 000,50`. */
const GROUPED = "\\p{Nd}{1,3}(?: \\p{Nd}{3})+(?!\\p{Nd})(?:[.,]\\p{Nd}+)?";
const SIGN = "(?<![\\p{L}\\p{N}])[-\\p{Sc}]{1,2}";
const UNIT = " ?[%‰°]|\\p{Sc}";
const TOKEN = `(?:${SIGN})?(?:${GROUPED}|${CHARACTER}(?:(?:${JOINER})*${CHARACTER})*)(?:${UNIT})?`;
/** Scripts without spaces between words, in which a quote may begin and end anywhere. */
const UNSPACED = ["Han", "Hira", "Kana", "Thai", "Lao", "Khmr", "Mymr"];
const WORD = `(?:(?![${UNSPACED.map((script) => `\\p{sc=${script}}`).join("")}])[\\p{L}\\p{M}\\p{N}_])+`;

const TOKENS = new RegExp(TOKEN, "gu");
const PIECES = new RegExp(`(?:${TOKEN}|${WORD})+|[^]`, "gu");
/** Matches tokens that identify one thing: with a digit, an underscore or an `@`, and addresses. */
const IS_FACT = /[\p{N}_@]|:\/\/|\p{L}{2}\.\p{L}{2}/u;

/**
 * Finds the facts of a claim that its evidence does not contain: numbers with sign, currency and percent, dates, times,
 * identifiers and addresses. The evidence must write them as the claim does: `1,250.00` does not contain `250`, and `2012` does
 * not contain `12`. Numbers and units written in words are ignored.
 */
export function missingFacts(claim: string, evidence: string): string[] {
  const known = new Set(listTokens(evidence));
  return listTokens(claim).filter((token) => IS_FACT.test(token) && !known.has(token));
}

function listTokens(text: string): string[] {
  const found = toPlainDashes(collapse(text)).matchAll(TOKENS);
  return Array.from(found, ([token]) => token.replace(/['’]s$| (?=[%‰°]$)/u, ""));
}

/** Writes all dashes and the minus sign as `-`, at the same positions. */
function toPlainDashes(text: string): string {
  return text.replace(/[\p{Pd}−]/gu, ({ length }) => "-".repeat(length));
}

/**
 * Puts a line break before and after each word, token and other character. If this form of a text is part of another text's form,
 * the other text contains it without cutting any of them. Expects a text without line breaks.
 */
function separate(text: string): string {
  let form = "\n";
  for (const { 0: found, index } of toPlainDashes(text).matchAll(PIECES)) {
    form += `${text.slice(index, index + found.length)}\n`;
  }
  return form;
}

/** Words that do not show what a text is about. */
const EMPTY =
  /^(?:[a-z]{1,2}|the|and|was|were|are|has|had|have|been|that|this|with|for|from|not|but|its|their|they|will)$/;

/** The shortest common beginning that counts as the same word, as in `invoice` and `invoices`. */
const MIN_STEM = 4;

/** Returns true if two texts share a meaningful word, or the beginning of one. */
export function sharesWord(one: string, other: string): boolean {
  const words = listWords(other);
  const begins = (long: string, short: string) =>
    short.length >= MIN_STEM && long.startsWith(short);
  return listWords(one).some((word) =>
    words.some((same) => word === same || begins(word, same) || begins(same, word)),
  );
}

/** Lists the meaningful words of a text in any script, in lower case. */
function listWords(text: string): string[] {
  const words = new Intl.Segmenter(undefined, { granularity: "word" });
  const parts = [...words.segment(text.normalize("NFC").toLowerCase())];
  const found = parts.flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []));
  return [...new Set(found)].filter((word) => !EMPTY.test(word));
}
