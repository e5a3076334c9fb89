import { measure, pollutingKey } from "./json.ts";

const LIMITS = { maxBytes: 4_194_304, maxDepth: 64 };

const parsed = new WeakMap<object, () => unknown>();

/** Parses a text as JSON. Throws a `TypeError` with the reason if that is not possible or not safe. */
export function parseJsonText(text: string): unknown {
  if (text.length > LIMITS.maxBytes)
    throw unreadable(`it is longer than ${LIMITS.maxBytes} characters`);
  const value = parse(text);
  const problem = measure(value, LIMITS);
  if (problem) throw unreadable(problem);
  const key = pollutingKey(value);
  if (key) throw unreadable(`it contains the key ${key}`);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TypeError("the text is not JSON");
  }
}

function unreadable(why: string): TypeError {
  return new TypeError(`the text cannot be read as JSON: ${why}`);
}

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
    const read = parsed.get(source) ?? toReading(view.text);
    parsed.set(source, read);
    return read();
  };
  return Object.defineProperty(view, "json", { get }) as View & { readonly json: unknown };
}

/** Parses a text once. Returns a function that returns the value, or throws the error, at each call. */
function toReading(text: string): () => unknown {
  try {
    const value = parseJsonText(text);
    return () => value;
  } catch (cause) {
    return () => {
      throw cause;
    };
  }
}
