/** Says whether a text stands in a source word for word. */
export type QuoteTest = (quote: string) => boolean;

/**
 * Prepares a source to be quoted from: a text, or a value as its JSON and the texts in it. Line breaks
 * and runs of spaces count as one space, and JSON escapes as what they stand for; all else must be the
 * same to the letter. A quote may not begin or end inside a word or a number.
 */
export function createQuoteTest(source: unknown): QuoteTest {
  const forms = new Set<string>();
  const add = (text: string) => forms.add(collapse(text));
  const addValue = (value: unknown) => {
    add(JSON.stringify(value) ?? "");
    add(JSON.stringify(value, null, 1) ?? "");
    for (const text of textsOf(value)) add(text);
  };
  if (typeof source === "string") {
    add(source);
    const parsed = parseJson(source);
    if (typeof parsed === "object" && parsed !== null) addValue(parsed);
  } else {
    addValue(source);
  }
  return (quote) => {
    const wanted = [collapse(quote), collapse(unescapeJson(quote))].filter((text) => text !== "");
    return wanted.some((text) => [...forms].some((form) => holds(form, text)));
  };
}

/** What the forms of a source and a quote have in common. */
export function collapse(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

/** The text that a quote with JSON escapes stands for; the quote itself where it is no JSON. */
export function unescapeJson(quote: string): string {
  if (!quote.includes("\\")) return quote;
  const parsed = parseJson(`"${quote}"`);
  return typeof parsed === "string" ? parsed : quote;
}

function holds(source: string, quote: string): boolean {
  for (let at = source.indexOf(quote); at >= 0; at = source.indexOf(quote, at + 1)) {
    const before = source.slice(Math.max(0, at - 2), at);
    const after = source.slice(at + quote.length, at + quote.length + 2);
    if (!isCut(before, quote, after)) return true;
  }
  return false;
}

/** True where an end of the quote lies inside a word, or between the digits or the sign of a number. */
function isCut(before: string, quote: string, after: string): boolean {
  const letter = /^[\p{L}\p{N}_]/u;
  const ending = /[\p{L}\p{N}_]$/u;
  if (letter.test(quote) && ending.test(before)) return true;
  if (ending.test(quote) && letter.test(after)) return true;
  if (/^\d/.test(quote) && /(\d[.,:/-]|(^|[^\p{L}\p{N}])[-−])$/u.test(before)) return true;
  return /\d$/.test(quote) && /^[.,:/-]\d/.test(after);
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
