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

/** Copies JSON deeply, with its texts well-formed, and freezes the copy. Recursive: measure untrusted values first. */
export function copyJson<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed() as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copyJson)) as T;
  const copy = { ...value }; // The spread creates all own keys, so that no assignment below calls a setter.
  for (const key of Object.keys(copy) as (keyof T)[]) copy[key] = copyJson(copy[key]);
  return Object.freeze(copy);
}

/**
 * Replaces the halves of characters (lone surrogates) in all texts and keys of JSON, since providers, databases and servers in other
 * languages refuse them. Returns the value itself if there are none. Recursive: measure untrusted values first.
 */
export function wellFormed<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed() as T;
  if (typeof value !== "object" || value === null) return value;
  const before = Object.entries(value);
  const entries = before.map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)] as const);
  const isSame = entries.every(([key, inner], at) => {
    return key === before[at]?.[0] && inner === before[at]?.[1];
  });
  if (isSame) return value;
  return (
    Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  ) as T;
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
  const weight = weigh(value, limits);
  return typeof weight === "string" ? weight : undefined;
}

/** Checks a value as `measure` does. Returns its size in bytes, or the problem. */
export function weigh(value: unknown, { maxBytes, maxDepth }: MeasureLimits): number | string {
  let bytes = 0;
  const add = (inner: unknown, depth: number): string | undefined => {
    if (typeof inner === "string") bytes += textBytes(inner) + 2;
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
      if (!isList) bytes += textBytes(String(key)) + 3;
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

/**
 * The only error of this package. `code` is `invalid-schema` for an unusable schema, and `invalid-options` for a wrong option.
 */
export class JsonError extends Error {
  override readonly name = "JsonError";
  readonly code: "invalid-schema" | "invalid-options";

  constructor(code: JsonError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the SHA-256 hash of a text's UTF-8 bytes in hex. */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
