/** The facts of a text that can be compared with those of another, each in one canonical form. */
export interface Facts {
  /** Canonical decimal numbers, the parts of dates and written-out small numbers included. */
  readonly numbers: ReadonlySet<string>;
  /** Whole dates as `yyyy-mm-dd`. */
  readonly dates: ReadonlySet<string>;
  /** Months by number that stand beside a day or a year. */
  readonly months: ReadonlySet<string>;
  /** Words with digits in them, underscores or an `@`: ids, codes, addresses. */
  readonly identifiers: ReadonlySet<string>;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH = `(${MONTHS.join("|")})[a-z]*\\.?`;
const ISO_DATE = /\b(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?/g;
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\\d{4})\\b`, "gi");
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "gi");
const DAY_AND_MONTH = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? ${MONTH}(?![a-z])`, "gi");
const MONTH_AND_NUMBER = new RegExp(`\\b${MONTH} (\\d{1,4})(?:st|nd|rd|th)?\\b`, "gi");
const WORD =
  /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\p{N}])|[\p{L}\p{N}_](?:[\p{L}\p{N}_.@:/#+-]*[\p{L}\p{N}_])?/gu;
const NUMBER = /^[\d.,]+$/;
const SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Reads the numbers, dates and identifiers of a text. What it cannot tell apart it takes as an identifier. */
export function factsOf(text: string): Facts {
  const numbers = new Set<string>();
  const dates = new Set<string>();
  const months = new Set<string>();
  const identifiers = new Set<string>();
  const addDate = (year: string, month: number, day: string) => {
    dates.add(`${year}-${pad(month)}-${day.padStart(2, "0")}`);
    for (const part of [year, String(month), day]) numbers.add(toNumber(part));
    months.add(String(month));
    return " ";
  };
  const rest = text
    .replace(ISO_DATE, (_, year: string, month: string, day: string) =>
      addDate(year, Number(month), day),
    )
    .replace(DAY_FIRST, (_, day: string, month: string, year: string) =>
      addDate(year, monthOf(month), day),
    )
    .replace(MONTH_FIRST, (_, month: string, day: string, year: string) =>
      addDate(year, monthOf(month), day),
    );
  for (const [, , month = ""] of rest.matchAll(DAY_AND_MONTH)) months.add(String(monthOf(month)));
  for (const [, month = ""] of rest.matchAll(MONTH_AND_NUMBER)) months.add(String(monthOf(month)));
  for (const { 0: word, index } of rest.matchAll(WORD)) {
    const small = SMALL.indexOf(word.toLowerCase());
    if (NUMBER.test(word)) numbers.add(signAt(rest, index) + toNumber(word));
    else if (small > 1) numbers.add(String(small));
    else if (/^\d+(st|nd|rd|th)$/i.test(word)) numbers.add(toNumber(word.slice(0, -2)));
    else if (/[\p{N}_@]/u.test(word)) identifiers.add(word);
  }
  return { numbers, dates, months, identifiers };
}

/** The facts of a claim that its evidence does not hold, as they are to be named. */
export function missingFacts(claim: Facts, evidence: Facts, quote: string): string[] {
  const missing = (wanted: ReadonlySet<string>, known: ReadonlySet<string>) =>
    [...wanted].filter((fact) => !known.has(fact));
  const dates = missing(claim.dates, evidence.dates);
  // The parts of a whole date are judged with it.
  const parts = new Set(dates.flatMap((date) => date.split("-").map(toNumber)));
  return [
    ...dates,
    ...missing(claim.numbers, evidence.numbers).filter((number) => !parts.has(number)),
    ...missing(claim.months, evidence.months)
      .filter((month) => !parts.has(month))
      .map((month) => `month ${month}`),
    ...missing(claim.identifiers, evidence.identifiers).filter((word) => !holdsWord(quote, word)),
  ];
}

/** True where a text holds a word as a whole, not as part of another. */
function holdsWord(text: string, word: string): boolean {
  const isPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  }
  return false;
}

/** A minus belongs to a number where nothing but a space or a bracket comes before it. */
function signAt(text: string, index: number): string {
  return /(^|[\s(:"'=,[])[-−]$/.test(text.slice(Math.max(0, index - 2), index)) ? "-" : "";
}

/** `1,500.00`, `1500` and `01500` are one number. */
function toNumber(text: string): string {
  const isGrouped = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text);
  const plain = isGrouped ? text.replaceAll(",", "") : text;
  if (!/^\d+(\.\d+)?$/.test(plain)) return plain;
  const [whole = "0", fraction = ""] = plain.split(".");
  const decimals = fraction.replace(/0+$/, "");
  const digits = whole.replace(/^0+(?=\d)/, "");
  return decimals === "" ? digits : `${digits}.${decimals}`;
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
