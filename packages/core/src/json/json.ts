import { hmac } from "@noble/hashes/hmac.js";
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A JSON object from outside: its values are not known yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** Returns true for an object literal, also of another realm, and for an object without prototype. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Writes JSON with sorted keys: equal values have equal texts. Recursive: measure untrusted values first (see `measure`). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * Finds a key that can reach a prototype if code merges carelessly: `__proto__`, or `prototype` below `constructor`. Recursive:
 * measure untrusted values first. Returns the key, or `undefined`.
 */
export function pollutingKey(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, "__proto__")) return "__proto__";
  if (Object.hasOwn(value, "constructor")) {
    const { constructor: inner } = value as JsonObject;
    if (isJsonObject(inner) && Object.hasOwn(inner, "prototype")) return "constructor.prototype";
  }
  for (const inner of Object.values(value)) {
    const key = pollutingKey(inner);
    if (key) return key;
  }
  return undefined;
}

/** Copies JSON deeply, with its texts well-formed (see `wellFormed`), and freezes the copy. Recursive: measure untrusted values first. */
export function copyJson<T>(value: T): T {
  return copyWith(value, Object.freeze) as T;
}

/**
 * Replaces the halves of characters (lone surrogates) in all texts and keys of JSON, in a copy if there are any, since providers,
 * databases and servers in other languages refuse them. Recursive: measure untrusted values first.
 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (copyWith(value, (copy) => copy) as T);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

function copyWith(value: unknown, finish: (copy: object) => object): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return finish(value.map((item) => copyWith(item, finish)));
  const entries = Object.entries(value).map(([key, inner]) => {
    return [key.toWellFormed(), copyWith(inner, finish)] as const;
  });
  return finish(Object.fromEntries(entries));
}

export interface MeasureLimits {
  /** The maximum size of the JSON text in UTF-8 bytes, roughly: the escapes of texts do not count. */
  readonly maxBytes: number;
  /** The maximum depth of arrays and objects. */
  readonly maxDepth: number;
}

/**
 * Checks that a value is JSON and within the limits, without building its text. Stops at the depth limit, so that a value
 * 100,000 levels deep is refused and causes no stack overflow. Returns the problem, or `undefined` if there is none.
 */
export function measure(value: unknown, limits: MeasureLimits): string | undefined {
  // The bytes of a long text take longer to count than all else, so they are counted only in a value that may be too large.
  if (typeof weighWith((text) => text.length * 3, value, limits) === "number") return undefined;
  const weight = weighWith(textBytes, value, limits);
  return typeof weight === "string" ? weight : undefined;
}

/** Returns the size of a value in memory, roughly: the bytes of its JSON text, with one for each UTF-16 unit. Or returns the problem. */
export function weigh(value: unknown, limits: MeasureLimits): number | string {
  return weighWith((text) => text.length, value, limits);
}

function weighWith(
  sizeOf: (text: string) => number,
  value: unknown,
  { maxBytes, maxDepth }: MeasureLimits,
): number | string {
  let bytes = 0;
  const add = (inner: unknown, depth: number): string | undefined => {
    if (typeof inner === "string") bytes += sizeOf(inner) + 2;
    else if (typeof inner === "number") {
      if (!Number.isFinite(inner)) return "it contains a number that JSON cannot represent";
      bytes += 8;
    } else if (typeof inner === "object" && inner !== null) {
      if (depth >= maxDepth) return `it is nested deeper than ${maxDepth} levels`;
      bytes += 2;
      return addMembers(inner, depth + 1);
    } else if (typeof inner === "boolean" || inner === undefined || inner === null) bytes += 4;
    else return `it contains a ${typeof inner}, which JSON cannot represent`;
    return bytes > maxBytes ? `it is larger than ${maxBytes} bytes` : undefined;
  };
  const addMembers = (node: object, depth: number): string | undefined => {
    const isList = Array.isArray(node);
    for (const key of isList ? node.keys() : Object.keys(node)) {
      if (!isList) bytes += sizeOf(String(key)) + 3;
      const problem = add((node as JsonObject)[key], depth);
      if (problem) return problem;
    }
    return undefined;
  };
  return add(value, 0) ?? bytes;
}

/** Counts the bytes of UTF-8. */
function textBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Returns the SHA-256 hash of a text's UTF-8 bytes in hex. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}

/** Computes the HMAC-SHA-256 of a text, in hex. */
export function hmacSha256(secret: string, text: string): string {
  return bytesToHex(hmac(digest, utf8ToBytes(secret), utf8ToBytes(text)));
}

const TEXT_LIMITS = { maxBytes: 4_194_304, maxDepth: 64 };

/** Parses a text as JSON. Throws a `TypeError` with the reason if that is not possible or not safe. */
export function parseJsonText(text: string): unknown {
  const tooLong = `it is longer than ${TEXT_LIMITS.maxBytes} characters`;
  if (text.length > TEXT_LIMITS.maxBytes) throw unreadable(tooLong);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError("the text is not JSON");
  }
  const problem = measure(value, TEXT_LIMITS);
  if (problem) throw unreadable(problem);
  const key = pollutingKey(value);
  if (key) throw unreadable(`it contains the key ${key}`);
  return value;
}

function unreadable(why: string): TypeError {
  return new TypeError(`the text cannot be read as JSON: ${why}`);
}
