import { standsIn } from "./word-edges.ts";

/** Says whether a text stands in a source word for word. */
export type QuoteTest = (quote: string) => boolean;

/**
 * Prepares a source to be quoted from: a text, or a value as its JSON and the texts in it. Line breaks
 * and runs of spaces count as one space, and JSON escapes as what they stand for; all else must be the
 * same to the letter. A quote may not begin or end inside a word or a number.
 */
export function createQuoteTest(source: unknown): QuoteTest {
  const forms: string[] = [];
  const add = (text: string) => forms.push(collapse(text));
  const addValue = (value: unknown) => {
    const spaced = collapse(JSON.stringify(value, null, 1) ?? "");
    const inLine = spaced.replace(/([[{]) /g, "$1").replace(/ ([\]}])/g, "$1");
    // No quote goes over the end of a text: collapsed, it holds no line break.
    const texts = textsOf(value).map(collapse).join("\n");
    forms.push(collapse(JSON.stringify(value) ?? ""), spaced, inLine, texts);
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
    return wanted.some((text) => forms.some((form) => standsIn(form, text)));
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
