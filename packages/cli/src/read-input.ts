import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { UsageError } from "./usage-error.ts";

/** Reads a file, or standard input for `-`. Throws `UsageError` where there is none. */
export async function readText(
  source: string,
  stdin: NodeJS.ReadableStream,
  what: string,
): Promise<string> {
  if (source === "-") return text(stdin);
  return readFileText(source, what);
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
    return await readFile(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : String(code ?? cause);
    throw new UsageError(`${what} ${file} cannot be read: ${why}.`, { cause });
  }
}
