/** Control characters except tab and newline, and those that change the direction of writing. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The most characters that a message quotes of a text from outside. */
const MAX_QUOTED = 1_000;

/** A text in which characters that would hide or reorder it are shown as codes. */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (char) =>
    char === "\n" || char === "\t"
      ? char
      : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text from outside in a form that a message may quote: plain, and only its first 1,000 characters. */
export function quoted(text: string): string {
  const shown = plainText(text.slice(0, MAX_QUOTED));
  return text.length > MAX_QUOTED ? `${shown}… (${text.length} characters)` : shown;
}

/** A text from a spec or a result, in a form that a message may quote. */
export function shorten(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** The message of an error, as it stands. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
