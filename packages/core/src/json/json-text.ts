import { measure, pollutingKey } from "./json.ts";
import { quoted } from "./plain-text.ts";

const LIMITS = { maxBytes: 4_194_304, maxDepth: 64 };

/** Parses a text as JSON. Throws a `TypeError` with the reason if that is not possible or not safe. */
export function parseJsonText(text: string): unknown {
  const tooLong = `it is longer than ${LIMITS.maxBytes} characters`;
  if (text.length > LIMITS.maxBytes) throw unreadable(tooLong);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new TypeError("the text is not JSON");
  }
  const problem = measure(value, LIMITS);
  if (problem) throw unreadable(problem);
  const key = pollutingKey(value);
  if (key) throw unreadable(`it contains the key ${key}`);
  return value;
}

function unreadable(why: string): TypeError {
  return new TypeError(`the text cannot be read as JSON: ${why}`);
}

/** The values of texts, or the errors of parsing them, by their sources. */
const parsed = new WeakMap<object, { readonly value?: unknown; readonly error?: unknown }>();

/**
 * Adds `json`: the value of `text` as JSON. It is parsed when it is first read, and once for each `source`. Reading it throws
 * if the text is not JSON. It is not enumerable, so that no copy and no JSON of the view contains the text twice.
 */
export function withJson<View extends { readonly text: string }>(
  view: View,
  { source, value }: { readonly source: object; readonly value?: unknown },
): View & { readonly json: unknown } {
  const get = () => {
    if (value !== undefined) return value;
    let reading = parsed.get(source);
    if (!reading) {
      try {
        reading = { value: parseJsonText(view.text) };
      } catch (error) {
        reading = { error };
      }
      parsed.set(source, reading);
    }
    if (reading.error) throw reading.error;
    return reading.value;
  };
  return Object.defineProperty(view, "json", { get }) as View & { readonly json: unknown };
}

/**
 * Finds what two readers of a JSON text may understand differently (RFC 8259): a key that occurs twice in one object, or a
 * number that a double cannot keep, so that a different one would be sent. Returns `undefined` if nothing is ambiguous. Expects
 * a text that `JSON.parse` accepts.
 */
export function ambiguityIn(text: string): string | undefined {
  const open: Set<string>[] = [];
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/gs;
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, -colon.length)));
      const keys = open.at(-1);
      if (keys?.has(key)) return `"${key}" appears twice in one object; keep one of them`;
      keys?.add(key);
    } else if (/^[-\d]/.test(token) && !isKept(token)) {
      return `the number ${quoted(token)} cannot be kept exactly; write it as a string`;
    }
  }
  return undefined;
}

/** Returns true if JavaScript keeps a number exactly. */
function isKept(number: string): boolean {
  return normalize(number) === normalize(String(Number(number)));
}

/** Returns the digits and the exponent of a number, without zeros that do not matter. */
function normalize(number: string): string {
  const [mantissa = "", exponent = "0"] = number.replace("-", "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return end === 0 ? "0" : `${digits.slice(0, end)}e${power}`;
}
