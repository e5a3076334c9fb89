import { cutPositions } from "./facts.ts";

/** Says whether a text stands in a source word for word. */
export type QuoteTest = (quote: string) => boolean;

/**
 * Prepares a source to be quoted from: a text, or a value as its JSON and the texts in it. Line breaks
 * and runs of spaces count as one space, and JSON escapes as what they stand for; all else must be the
 * same to the letter. A quote may not begin or end inside a word, a number or an identifier.
 */
export function createQuoteTest(source: unknown): QuoteTest {
  const value = typeof source === "string" ? parseJson(source) : source;
  const isText = typeof source === "string" && (typeof value !== "object" || value === null);
  const texts = typeof source === "string" ? [collapse(source)] : [];
  const forms = [...texts, ...(isText ? [] : formsOf(value))].map(createForm);
  return (quote) => {
    const wanted = [collapse(quote), collapse(unescapeJson(quote))].filter((text) => text !== "");
    return wanted.some((text) => forms.some((form) => form(text)));
  };
}

/** The ways in which a value can be quoted. */
function formsOf(value: unknown): string[] {
  const spaced = collapse(JSON.stringify(value, null, 1) ?? "");
  const inLine = spaced.replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
  // No quote reaches beyond a text: collapsed, it holds no line break.
  const texts = textsOf(value).map(collapse).join("\n");
  return [collapse(JSON.stringify(value) ?? ""), spaced, inLine, texts];
}

/** Most places that are looked at for one quote. */
const MAX_PLACES = 1_000;

function createForm(form: string): QuoteTest {
  let cuts: Uint8Array | undefined;
  return (quote) => {
    let at = form.indexOf(quote);
    for (let places = 0; at >= 0 && places < MAX_PLACES; places++) {
      cuts ??= cutPositions(form);
      if (!cuts[at] && !cuts[at + quote.length]) return true;
      at = form.indexOf(quote, at + 1);
    }
    return false;
  };
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
