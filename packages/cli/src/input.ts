import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { getSystemErrorMessage } from "node:util";
import { withOwnSignal } from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import { UsageError } from "./command-line.ts";
import type { Context } from "./run-toolrail.ts";

/** Reads standard input. */
export function readStdin({ stdin, signal }: Context): Promise<string> {
  return withOwnSignal({ signal }, () => text(stdin));
}

/** Reads an argument that is a JSON object, the name of a file, or `-` for standard input. Throws `UsageError`, which begins with `what`. */
export async function readArgument(given: string, what: string, context: Context): Promise<string> {
  if (given === "-") return readStdin(context);
  return given.trimStart().startsWith("{") ? given : readTextFile(given, what);
}

/** Reads a file with a JSON object. Throws `UsageError`. */
export async function readJsonFile(file: string, what: string): Promise<JsonObject> {
  return parseJsonObject(await readTextFile(file, what), `${what} ${file}`);
}

async function readTextFile(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    const { errno } = cause as NodeJS.ErrnoException;
    const why = errno === undefined ? String(cause) : getSystemErrorMessage(errno);
    throw new UsageError(`${what} ${file} cannot be read: ${why}.`, { cause });
  }
}

/** Parses a JSON object. Throws `UsageError`, which begins with `where`. */
export function parseJsonObject(json: string, where: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new UsageError(`${where} is not JSON: ${(cause as Error).message}.`, { cause });
  }
  if (isJsonObject(value)) return value;
  throw new UsageError(`${where} must be an object: { … }.`);
}

/** Reads the fields of an object's schema. */
export function readFields({ properties, required }: JsonObject) {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, field]) => {
    return { name, schema: isJsonObject(field) ? field : {}, isRequired: needed.has(name) };
  });
}
