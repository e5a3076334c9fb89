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
 * Copies JSON deeply, and freezes the copy unless it is for somebody who may change it. Halves of characters (lone surrogates)
 * in its texts and keys are replaced, since providers, databases and servers in other languages refuse them. Recursive:
 * measure untrusted values first.
 */
export function copyJson<T>(value: T, isFrozen?: boolean): T;
export function copyJson(value: unknown, isFrozen = true): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  const copyInner = ([key, inner]: [string, unknown]) => {
    return [key.toWellFormed(), copyJson(inner, isFrozen)];
  };
  const copy = Array.isArray(value)
    ? value.map((item) => copyJson(item, isFrozen))
    : Object.fromEntries(Object.entries(value).map(copyInner));
  return isFrozen ? Object.freeze(copy) : copy;
}

/** Returns JSON as it is if its texts are well-formed, and else a copy in which they are. Recursive: measure untrusted values first. */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : copyJson(value, false);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormed);
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner));
}

/** The most that a value may hold: bytes as `weigh` counts them, and levels of arrays and objects. */
type Limits = { readonly maxBytes: number; readonly maxDepth: number };

/** Checks that a value is JSON as `weigh` does. Returns the problem, or `undefined` if there is none. */
export function measure(value: unknown, limits: Limits): string | undefined {
  const weight = weigh(value, limits);
  return typeof weight === "string" ? weight : undefined;
}

/**
 * Returns the bytes of a value's JSON text, roughly: one for each UTF-16 unit, and none for escapes. Or returns why it is not JSON
 * within the limits. A key that can reach a prototype if code merges carelessly is refused. Stops at the depth limit, so that
 * a value 100,000 levels deep does not overflow the stack.
 */
export function weigh(value: unknown, { maxBytes, maxDepth }: Limits): number | string {
  let bytes = 0;
  const add = (inner: unknown, depth: number, parent?: string | number): string | undefined => {
    if (typeof inner === "string") bytes += inner.length + 2;
    else if (typeof inner === "number" && Number.isFinite(inner)) bytes += 8;
    else if (typeof inner === "boolean" || inner === undefined || inner === null) bytes += 4;
    else if (typeof inner !== "object") {
      return `it contains a ${typeof inner} that JSON cannot represent`;
    } else {
      if (depth >= maxDepth) return `it is nested deeper than ${maxDepth} levels`;
      bytes += 2;
      for (const key of Array.isArray(inner) ? inner.keys() : Object.keys(inner)) {
        if (key === "__proto__" || (key === "prototype" && parent === "constructor")) {
          return `it contains the key ${key}, which can reach a prototype`;
        }
        if (typeof key === "string") bytes += key.length + 3;
        const problem = add((inner as JsonObject)[key], depth + 1, key);
        if (problem) return problem;
      }
    }
    return bytes > maxBytes ? `it is larger than ${maxBytes} bytes` : undefined;
  };
  return add(value, 0) ?? bytes;
}

/** Returns the SHA-256 hash of a text's UTF-8 bytes in hex. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}

/** Computes the HMAC-SHA-256 of a text, in hex. */
export function hmacSha256(secret: string, text: string): string {
  return bytesToHex(hmac(digest, utf8ToBytes(secret), utf8ToBytes(text)));
}

/** Parses a text as JSON. Throws a `TypeError` with the reason if that is not possible or not safe. */
export function parseJsonText(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError("the text is not JSON");
  }
  const problem = measure(value, { maxBytes: 4_194_304, maxDepth: 64 });
  if (problem) throw new TypeError(`the text cannot be read as JSON: ${problem}`);
  return value;
}
