import { stripVTControlCharacters } from "node:util";

/** Control characters but tab and newline, and those that turn the direction of writing. */
const HIDDEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes the text of a stranger safe to print: no escape sequences, and other characters that would
 * move the cursor or hide text shown as their code.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replace(HIDDEN, (char) =>
    char === "\n" || char === "\t"
      ? char
      : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = [...plainText(text).replace(/\s+/g, " ").trim()];
  return line.length <= width
    ? line.join("")
    : `${line.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** What the command says on stderr. No later line, a stranger's perhaps, looks like the first. */
export function message(text: string): string {
  return `toolrail: ${indent(plainText(text)).trimStart()}\n`;
}

/** Every line two spaces in. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
