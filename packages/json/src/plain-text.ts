/** Control characters except tab and newline, and characters that change the direction of writing. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The maximum number of characters that a message quotes from outside text. */
const MAX_QUOTED = 1_000;

/** Replaces characters that would hide or reorder text by their codes. */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (char) =>
    char === "\n" || char === "\t"
      ? char
      : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Makes outside text fit to be quoted in a message: plain, and at most its first 1,000 characters. */
export function quoted(text: string): string {
  const shown = plainText(text.slice(0, MAX_QUOTED));
  return text.length > MAX_QUOTED ? `${shown}… (${text.length} characters)` : shown;
}

/** Cuts a text to at most `most` characters, by default 80, and marks the cut. */
export function shorten(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Returns the message of an error, unchanged. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
