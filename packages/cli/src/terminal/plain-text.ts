import { stripVTControlCharacters } from "node:util";
import { plainText as showHidden } from "@toolrail/json";

const ESCAPE = "\u001b";

/** Makes a server's text safe to print: without escape sequences, and hidden characters shown as their code. */
export function plainText(text: string): string {
  // Each sequence alone: Node would look for the end of every open one in all of the rest.
  const parts = text.replaceAll("\r\n", "\n").split(ESCAPE);
  const strip = (part: string, at: number) =>
    stripVTControlCharacters(at === 0 ? part : ESCAPE + part);
  return showHidden(parts.map(strip).join(""));
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = [...plainText(text).replace(/\s+/g, " ").trim()];
  return line.length <= width
    ? line.join("")
    : `${line.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** What the command says on stderr. No later line, a server's perhaps, looks like the first. */
export function message(text: string): string {
  return `toolrail: ${indent(plainText(text)).trimStart()}\n`;
}

/** Every line two spaces in. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
