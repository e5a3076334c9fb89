import { measure, pollutingKey } from "./json.ts";

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
