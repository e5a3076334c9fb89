import { stripVTControlCharacters } from "node:util";
import { plainText as showHidden } from "@toolrail/json";

const ESCAPE = "\u001b";

/** Makes a server's text safe to print: without escape sequences, and with hidden characters as codes. */
export function plainText(text: string): string {
  // Splitting first is faster: one pattern would search the whole rest of the text for the end of each unclosed sequence.
  const parts = text.replaceAll("\r\n", "\n").split(ESCAPE);
  const strip = (part: string, at: number) =>
    stripVTControlCharacters(at === 0 ? part : ESCAPE + part);
  return showHidden(parts.map(strip).join(""));
}

/** Shortens a text to one line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = [...plainText(text).replace(/\s+/g, " ").trim()];
  return line.length <= width
    ? line.join("")
    : `${line.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Writes a message for stderr. Later lines, perhaps of a server, are indented, so that none looks like the first. */
export function message(text: string): string {
  return `toolrail: ${indent(plainText(text)).trimStart()}\n`;
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
