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

/** Copies JSON deeply and freezes the copy. Recursive: measure untrusted values first. */
export function copyJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(copyJson)) as T;
  const copy = { ...value }; // The spread creates all own keys, so that no assignment below calls a setter.
  for (const key of Object.keys(copy) as (keyof T)[]) copy[key] = copyJson(copy[key]);
  return Object.freeze(copy);
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
export function weigh(value: unknown, limits: MeasureLimits): number | string {
  const size = addUp(value, { limits, measureText: ({ length }) => length });
  // A unit of a text takes at most three bytes, so that most values are counted once.
  if (typeof size === "string" || size * 3 <= limits.maxBytes) return size;
  return addUp(value, { limits, measureText: textBytes });
}

/** Counts the bytes of UTF-8. The encoder is faster for long texts alone. */
function textBytes(text: string): number {
  if (text.length > 200) return new TextEncoder().encode(text).length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

interface Adding {
  readonly limits: MeasureLimits;
  readonly measureText: (text: string) => number;
}

function addUp(value: unknown, { limits, measureText }: Adding): number | string {
  const { maxBytes, maxDepth } = limits;
  let bytes = 0;
  const tooBig = () => (bytes > maxBytes ? `it is larger than ${maxBytes} bytes` : undefined);
  const add = (inner: unknown, depth: number): string | undefined => {
    switch (typeof inner) {
      case "string":
        bytes += measureText(inner) + 2;
        return undefined;
      case "number":
        bytes += 8;
        return Number.isFinite(inner)
          ? undefined
          : "it contains a number that JSON cannot represent";
      case "boolean":
      case "undefined":
        bytes += 4;
        return undefined;
      case "object":
        bytes += 2;
        return inner === null ? undefined : addMembers(inner, depth);
      default:
        return `it contains a ${typeof inner}, which JSON cannot represent`;
    }
  };
  const addMembers = (node: object, depth: number): string | undefined => {
    if (depth >= maxDepth) return `it is nested deeper than ${maxDepth} levels`;
    let problem: string | undefined;
    if (Array.isArray(node)) {
      if (node.length + bytes > maxBytes) bytes += node.length;
      else for (let at = 0; at < node.length && !problem; at++) problem = add(node[at], depth + 1);
    } else {
      for (const key in node) {
        bytes += measureText(key) + 3;
        problem ??= add((node as JsonObject)[key], depth + 1);
      }
    }
    return problem ?? tooBig();
  };
  return add(value, 0) ?? tooBig() ?? bytes;
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
