/** Control characters but tab and newline, and those that turn the direction of writing. */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Most characters that a message quotes of a text from outside. */
const MAX_QUOTED = 1_000;

/** A text with the characters that would hide or reorder what is read shown as their code. */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (char) =>
    char === "\n" || char === "\t"
      ? char
      : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text from outside as a message may quote it: plain, and its first 1,000 characters. */
export function quoted(text: string): string {
  const shown = plainText(text.slice(0, MAX_QUOTED));
  return text.length > MAX_QUOTED ? `${shown}… (${text.length} characters)` : shown;
}

/** A text from a spec or a result, as it may stand in a message. */
export function shorten(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
