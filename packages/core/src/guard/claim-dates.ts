const NAMES = [
  "jan(?:uary)?",
  "feb(?:ruary)?",
  "mar(?:ch)?",
  "apr(?:il)?",
  "may",
  "june?",
  "july?",
  "aug(?:ust)?",
  "sept?(?:ember)?",
  "oct(?:ober)?",
  "nov(?:ember)?",
  "dec(?:ember)?",
];
const MONTH = `(${NAMES.join("|")})\\.?`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const ISO_DATE =
  /(?<![\p{L}\p{N}_-])(\d{4})-(\d{2})-(\d{2})(?:T(?=\d)|(?![\p{L}\p{N}_]|-[\p{L}\p{N}]))/gu;
const DAY_FIRST = new RegExp(`\\b${DAY}(?: of)? ${MONTH},? (\\d{4})\\b`, "gi");
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY},? (\\d{4})\\b`, "gi");
const BESIDE_NUMBER = new RegExp(
  `\\b${DAY}(?: of)? ${MONTH}(?![a-z])|\\b${MONTH} \\d{1,4}(?:st|nd|rd|th)?\\b`,
  "gi",
);
/** In full and alone. `May` is left out, since it is mostly a verb. */
const ALONE =
  /\b(January|February|March|April|June|July|August|September|October|November|December)\b/g;
const TIME =
  /(?<![\p{L}\p{N}:.])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?(?: ?([ap])\.?m\b\.?)?(?![\p{L}\p{N}:])/giu;

/** What a text says of dates and times, and the text without the whole dates and the times. */
export interface DateFacts {
  /** `2026-11-18`, `month 11` where a month stands without a whole date, `10:30`. */
  readonly whole: readonly string[];
  /** What follows from them: the year, the month and the day of a date, a time without its seconds. */
  readonly parts: readonly string[];
  readonly rest: string;
}

/** Reads ISO dates, dates with an English month, and times of day. */
export function dateFactsOf(text: string): DateFacts {
  const whole: string[] = [];
  const parts: string[] = [];
  const addDate = (year: string, month: number, day: string) => {
    whole.push(`${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`);
    parts.push(String(Number(year)), String(month), String(Number(day)), `month ${month}`);
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
    )
    .replace(TIME, (...found: (string | undefined)[]) => {
      const [minutes, seconds, zoned] = timesOf(found);
      whole.push(zoned);
      parts.push(minutes, seconds);
      return " ";
    });
  for (const [, , before, after = before] of rest.matchAll(BESIDE_NUMBER)) {
    whole.push(`month ${monthOf(after ?? "")}`);
  }
  for (const [name] of rest.matchAll(ALONE)) whole.push(`month ${monthOf(name)}`);
  return { whole, parts, rest };
}

/** To the minute, to the second, and with its offset, on a clock of 24 hours. */
function timesOf([, hour, minute, second = "00", zone = "", half]: readonly (
  | string
  | undefined
)[]) {
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0) : Number(hour);
  const minutes = `${hours}:${minute}`;
  const seconds = second === "00" ? minutes : `${minutes}:${second}`;
  return [minutes, seconds, seconds + zone.toUpperCase()] as const;
}

function monthOf(name: string): number {
  return NAMES.findIndex((known) => known.startsWith(name.slice(0, 3).toLowerCase())) + 1;
}
