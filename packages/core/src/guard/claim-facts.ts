import { dateFactsOf } from "./claim-dates.ts";
import { readNumberWords } from "./number-words.ts";
import { standsIn } from "./word-edges.ts";

/** The facts of a text that can be compared with those of another, each in one canonical form. */
interface Facts {
  /** What the text says: numbers, dates, times, identifiers. */
  readonly said: ReadonlySet<string>;
  /** What follows from it, as the year from a date. */
  readonly implied: ReadonlySet<string>;
}

/** A character of an identifier; in other scripts a word ends where its digits begin. */
const CHARACTER = "[\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{N}_]";
const IDENTIFIER = `${CHARACTER}(?:(?:${CHARACTER}|[.@:/#+-])*${CHARACTER})?`;
const GROUPED = "\\d{1,3}(?:(?:,\\d{3})+|(?:[ '’]\\d{3})+|(?:\\.\\d{3})+(?=,\\d))(?:[.,]\\d+)?";
const WORD = new RegExp(`${GROUPED}(?![\\p{L}\\p{N}])|${IDENTIFIER}`, "gu");
const NUMBER = /^\d[\d.,'’ ]*$/;
/** `3rd` and `30-day` are numbers. */
const WITH_ENDING = /^(\d+)(st|nd|rd|th|-\p{Ll}{3,})$/u;
const PERCENT = /^ ?(%|percent|per cent)/i;
/** Words with digits, underscores or an `@`, addresses: what stands for one thing and no other. */
const NAMING = /[\p{N}_@]|:\/\/|\p{L}{2}\.\p{L}{2}/u;
/** So many, and nobody knows how many. */
const MANY = /\b(dozens|hundreds|thousands|millions|billions|trillions)\b/gi;

/** The facts of a claim that its evidence does not hold, as they are to be named. */
export function missingFacts(claim: string, evidence: string): string[] {
  const { said, implied } = factsOf(evidence);
  return [...factsOf(claim).said].filter((fact) => {
    if (said.has(fact) || implied.has(fact)) return false;
    // JSON has its unit in the name of a field, if anywhere.
    if (fact.endsWith("%")) return !said.has(fact.slice(0, -1));
    return NUMBER.test(fact) || !NAMING.test(fact) || !standsIn(evidence, fact);
  });
}

/** Reads the facts of a text. What it cannot tell apart it takes as an identifier. */
function factsOf(text: string): Facts {
  const { whole, parts, rest } = dateFactsOf(toPlainSigns(text));
  const said = new Set(whole);
  const plain = readNumberWords(rest);
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    const [, number = NUMBER.test(word) ? word : undefined] = WITH_ENDING.exec(word) ?? [];
    if (number !== undefined) {
      const unit = PERCENT.test(plain.slice(index + word.length)) ? "%" : "";
      said.add(signAt(plain, index) + toNumber(number) + unit);
    } else if (NAMING.test(word)) said.add(word);
  }
  for (const [many] of plain.matchAll(MANY)) said.add(many.toLowerCase());
  return { said, implied: new Set(parts) };
}

/** One dash in ranges, and a minus for the word. */
function toPlainSigns(text: string): string {
  return text
    .replace(/(?<=\d)[‐‑‒–—−](?=\d)/g, "-")
    .replace(/\b(?:minus|negative) (?=\p{Sc}?\d)/giu, "-");
}

/** A minus belongs to a number where nothing but a space or a bracket comes before it. */
function signAt(text: string, index: number): string {
  return /(^|[\s(:"'=,[])[-−]\p{Sc}?$/u.test(text.slice(Math.max(0, index - 3), index)) ? "-" : "";
}

/** `1,500.00`, `1 500`, `1.500,00`, `1500` and `01500` are one number. `1.500` may be two, and stays. */
function toNumber(text: string): string {
  const isPointed = /^\d{1,3}(\.\d{3})+,\d+$/.test(text);
  const isGrouped = /^\d{1,3}([,'’ ]\d{3})+([.,]\d+)?$/.test(text);
  const whole = isPointed ? text.replaceAll(".", "") : text;
  const plain = isGrouped ? whole.replace(/[,'’ ](?=\d{3}(?!\d))/g, "") : whole;
  const decimal = plain.replace(/^(\d+),(\d+)$/, "$1.$2");
  if (!/^\d+(\.\d+)?$/.test(decimal) || /^[1-9]\d{0,2}\.\d{3}$/.test(text)) return text;
  const [digits = "0", fraction = ""] = decimal.split(".");
  const decimals = fraction.replace(/0+$/, "");
  const number = digits.replace(/^0+(?=\d)/, "");
  return decimals === "" ? number : `${number}.${decimals}`;
}
