/**
 * Characters that a person cannot see and a model can read, or that reorder what a person sees: zero-width spaces, bidirectional
 * overrides, tag characters, control characters, halves of characters. A single joiner or variation selector is allowed, since scripts and emoji need
 * them. Several in a row can carry a message, of one kind or of both in turn.
 */
const HIDDEN =
  /(?:\u200c|\u200d|[\ufe00-\ufe0f]){3,}|(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\u200c\u200d]{2,}|[\ufe00-\ufe0f]{2,}|[\ufff9-\ufffb]|\p{Cs}|(?![\t\n])\p{Cc}/u;
const ALL_HIDDEN = new RegExp(HIDDEN, "gu");

/** The maximum number of characters that a message quotes from outside text. */
const MAX_QUOTED = 1_000;

/** Returns true if a text contains characters that a person cannot see and a model can read. */
export function hasHiddenText(text: string): boolean {
  return HIDDEN.test(text.replaceAll("\r\n", "\n"));
}

/** Replaces characters that would hide or reorder text by their codes. */
export function plainText(text: string): string {
  return text.replace(ALL_HIDDEN, toCodes);
}

/** Returns a text as plain text in one line: line breaks become codes too. */
export function plainLine(text: string): string {
  return plainText(text).replace(/[\n\u2028\u2029]/g, toCodes);
}

function toCodes(characters: string): string {
  const codes = Array.from(characters, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
  });
  return codes.join("");
}

/** Makes outside text fit to be quoted in a message: plain, and at most its first 1,000 characters. */
export function quoted(text: string): string {
  const shown = plainText(text.slice(0, MAX_QUOTED).toWellFormed());
  return text.length > MAX_QUOTED ? `${shown}… (${text.length} characters)` : shown;
}

/** Cuts a text to at most `most` characters, by default 80, and marks the cut. */
export function shorten(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/** Ends a sentence with a full stop, unless it has an end. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Returns the message of an error, unchanged. */
export function messageOf(cause: unknown): string {
  if (cause instanceof Error) return cause.message;
  return typeof cause === "object" ? Object.prototype.toString.call(cause) : String(cause);
}
