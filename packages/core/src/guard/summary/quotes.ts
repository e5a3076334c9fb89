import { separate } from "./facts.ts";

/** Says whether a text stands in a source word for word. */
export type QuoteTest = (quote: string) => boolean;

/**
 * Prepares a source to be quoted from: a text, or a value as its JSON and the texts in it. Line breaks
 * and runs of spaces count as one space, and JSON escapes as what they stand for; all else must be the
 * same to the letter. A quote holds a letter or a digit, and neither begins nor ends inside a word, a number or an
 * identifier.
 */
export function createQuoteTest(source: unknown): QuoteTest {
  const texts = typeof source === "string" ? [source] : [];
  const value = typeof source === "string" ? parseJson(source) : source;
  const forms = [...texts, ...formsOf(value)].map((text) => separate(collapse(text)));
  return (quote) => {
    const wanted = [quote, unescapeJson(quote)].filter((text) => /[\p{L}\p{N}]/u.test(text));
    return wanted.some((text) => {
      const form = separate(collapse(text));
      return forms.some((one) => one.includes(form));
    });
  };
}

/** The ways in which a value can be quoted. */
function formsOf(value: unknown): string[] {
  const spaced = collapse(JSON.stringify(value, null, 1) ?? "");
  const inLine = spaced.replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
  return [JSON.stringify(value) ?? "", spaced, inLine, ...textsOf(value)];
}

/** What the forms of a source and a quote have in common. */
export function collapse(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

/** The text that a quote with JSON escapes stands for; the quote itself where it is not JSON. */
export function unescapeJson(quote: string): string {
  if (!quote.includes("\\")) return quote;
  const parsed = parseJson(`"${quote}"`);
  return typeof parsed === "string" ? parsed : quote;
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
