import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Context } from "./context.ts";
import { untilAborted } from "./until-aborted.ts";
import { UsageError } from "./usage-error.ts";

/** Reads a file, or standard input for `-`. Throws `UsageError` where there is none. */
export async function readText(
  source: string,
  { stdin, signal }: Pick<Context, "stdin" | "signal">,
  what: string,
): Promise<string> {
  return source === "-" ? untilAborted(signal, text(stdin)) : readFileText(source, what);
}

/** Reads a JSON file. Throws `UsageError`, with the line and column of a mistake. */
export async function readJsonFile(file: string, what: string): Promise<unknown> {
  return parseJson(await readFileText(file, what), `${what} ${file}`);
}

/** Throws `UsageError`, which begins with `where`. */
export function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${where} is not JSON: ${(cause as Error).message}.`, { cause });
  }
}

async function readFileText(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    throw new UsageError(`${what} ${file} cannot be read: ${whyNoFile(cause)}.`, { cause });
  }
}

/** What a failed file operation means. */
export function whyNoFile(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  switch (code) {
    case "ENOENT":
      return "there is no such file or folder";
    case "EISDIR":
      return "it is a folder";
    case "EACCES":
      return "access is denied";
    default:
      return String(code ?? cause);
  }
}
