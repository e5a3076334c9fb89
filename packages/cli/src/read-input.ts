import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { getSystemErrorMessage } from "node:util";
import { withOwnSignal } from "@toolrail/core/internal";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { Context } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Reads a file, or standard input for `-`. Throws `UsageError`, which begins with `what`. */
export function readText(
  file: string,
  { stdin, signal, what }: Context & { readonly what: string },
): Promise<string> {
  return file === "-" ? withOwnSignal({ signal }, () => text(stdin)) : readTextFile(file, what);
}

/** Reads a file with a JSON object. Throws `UsageError`. */
export async function readJsonFile(file: string, what: string): Promise<JsonObject> {
  return parseJsonObject(await readTextFile(file, what), `${what} ${file}`);
}

async function readTextFile(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    throw new UsageError(`${what} ${file} cannot be read: ${describeFileError(cause)}.`, { cause });
  }
}

/** Parses a JSON object. Throws `UsageError`, which begins with `where`. */
export function parseJsonObject(text: string, where: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${where} is not JSON: ${(cause as Error).message}.`, { cause });
  }
  if (isJsonObject(value)) return value;
  throw new UsageError(`${where} must be an object: { … }.`);
}

function describeFileError(cause: unknown): string {
  const { errno } = cause as NodeJS.ErrnoException;
  return errno === undefined ? String(cause) : getSystemErrorMessage(errno);
}
