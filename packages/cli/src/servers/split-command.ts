import { type ParseEntry, parse } from "shell-quote";
import { UsageError } from "../usage-error.ts";

/** Splits a command line into words. No shell runs, so pipes, redirections and the like throw `UsageError`. */
export function splitCommand(text: string, where: string): string[] {
  if (hasOpenQuote(text)) throw new UsageError(`${where}: a quote is not closed in: ${text}`);
  return parse(text, (name) => `$${name}`).map((entry) => toWord(entry, where));
}

function toWord(entry: ParseEntry, where: string): string {
  if (typeof entry === "string") return entry;
  if ("comment" in entry) return `#${entry.comment}`;
  if ("pattern" in entry) return entry.pattern;
  throw new UsageError(
    `${where}: the command is started without a shell, so "${entry.op}" has no effect there. ` +
      `Quote it, or start a shell: sh -c '…'.`,
  );
}

function hasOpenQuote(text: string): boolean {
  const closed = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, "");
  return /['"]/.test(closed);
}
