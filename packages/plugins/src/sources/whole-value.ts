/** A text in the form for finding whole values, with marks for the beginning and the end of the whole text. */
export interface ExactText {
  readonly exact: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Converts a text to Unicode NFC, with the hosts of addresses in lower case. Equal values differ in nothing else. */
export function toExact(text: string): string {
  return text.normalize("NFC").replace(ADDRESS, lowerHost);
}

/** Converts a value to that form, without white space around it. */
export function toExactValue(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && IS_BLANK.test(value.charAt(from))) from++;
  while (to > from && IS_BLANK.test(value.charAt(to - 1))) to--;
  return toExact(value.slice(from, to));
}

/**
 * Returns true if a text contains a value as a whole: between white space, quotes, brackets, and the punctuation that ends a
 * sentence. Expects the result of `toExactValue`. A group of a number in groups is not whole.
 */
export function occursWhole({ exact, isFirst, isLast }: ExactText, value: string): boolean {
  if (value === "") return false;
  let at = exact.indexOf(value);
  for (let tries = 0; at >= 0 && tries < MAX_TRIES; tries++) {
    const end = at + value.length;
    const from = Math.max(0, at - CONTEXT);
    const before = (from === 0 && isFirst ? "" : OTHER) + exact.slice(from, at);
    const to = end + CONTEXT;
    const after = exact.slice(end, to) + (to >= exact.length && isLast ? "" : OTHER);
    if (isWhole(value, before, after)) return true;
    at = exact.indexOf(value, at + 1);
  }
  return false;
}

/** The maximum number of occurrences that are examined. If none of them is whole, the value counts as not found. */
const MAX_TRIES = 32;
/** The characters that are examined before and after a value. */
const CONTEXT = 16;
const OTHER = "x";

const BLANK =
  "[ \\t\\n\\v\\f\\r\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const OPENING = "[\"'`“‘„‚«‹(\\[{<「『《【（]";
const CLOSING = "[\"'`”’“‘»›)\\]}>」』》】）]";
const STOP = "[.,;:!?…。，、；：！？]";

const IS_BLANK = new RegExp(BLANK);
const BEGINS = new RegExp(
  `(?:^|${BLANK}|[，、；：！？]|(?:^|${BLANK}|[,:;=，、；：])${OPENING}+)$`,
);
const ENDS = new RegExp(
  `^(?:${STOP}*(?:${BLANK}|$)|[，、；：！？]|${STOP}*${CLOSING}+(?:${STOP}*(?:${BLANK}|$)|[,:;}\\]，、；：]))`,
);
/** The possessive: "Ada's account" names Ada. */
const POSSESSIVE = new RegExp(`^['’]s${STOP}*(?:${BLANK}|$)`);
const DIGIT_BEFORE = /\d[ \t\u00a0\u202f]$/;
const DIGIT_AFTER = /^[ \t\u00a0\u202f]\d/;

function isWhole(value: string, before: string, after: string): boolean {
  if (/^\d/.test(value) && DIGIT_BEFORE.test(before)) return false;
  if (/\d$/.test(value) && DIGIT_AFTER.test(after)) return false;
  if (BEGINS.test(before)) {
    if (ENDS.test(after)) return true;
    return !/[\d@./:-]/.test(value) && POSSESSIVE.test(after);
  }
  // A number may be a value of JSON.
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return false;
  return /": ?$/.test(before) && /^\s*(?:,\s*"|[}\]])/.test(after);
}

/** Matches the scheme, user and host of a URL, or the host of an address with "@". */
const ADDRESS = /(?:https?)?:\/\/[^\s/?#"'`<>(){},;|\\]*|@[^\s@/?#:"'`<>(){},;|\\]*/gi;

function lowerHost(address: string): string {
  const host = address.lastIndexOf("@");
  const scheme = address.indexOf("://");
  const user = scheme < 0 ? "" : address.slice(scheme, Math.max(host, scheme));
  const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return (
    lower(address.slice(0, Math.max(scheme, 0))) +
    user +
    lower(address.slice(Math.max(host, scheme, 0)))
  );
}
