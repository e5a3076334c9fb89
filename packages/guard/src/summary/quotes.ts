import { separate } from "./facts.ts";

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
  const values = (isStructure(value) ? leavesOf(value) : texts).map(toForm);
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

/** The values of a structure that hold no others, as texts. */
function leavesOf(value: unknown): string[] {
  return isStructure(value) ? Object.values(value).flatMap(leavesOf) : [String(value)];
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
