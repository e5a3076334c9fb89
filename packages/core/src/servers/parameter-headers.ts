import type { JsonObject } from "@toolrail/json";
import { objectOf } from "@toolrail/json/schema";
import { readMarks } from "./header-marks.ts";

/** Builds the `Mcp-Param-*` headers of a call from its marked arguments, except those that are absent or null. */
export function parameterHeaders(inputSchema: JsonObject, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of readMarks(inputSchema)) {
    const value = path.reduce<unknown>((inner, name) => objectOf(inner)[name], args);
    const isText = typeof value === "string" || typeof value === "boolean";
    if (isText || Number.isSafeInteger(value)) headers[`Mcp-Param-${header}`] = encode(`${value}`);
  }
  return headers;
}

/** Encodes a text as a header value. A text that HTTP would change or refuse becomes base64. */
function encode(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text.trim() === text;
  if (isPlain && !/^=\?base64\?.*\?=$/.test(text)) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
