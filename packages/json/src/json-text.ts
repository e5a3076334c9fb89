import { measure, pollutingKey } from "./json.ts";

/** The limits of a text that is parsed, whoever wrote it. */
const LIMITS = { maxBytes: 4_194_304, maxDepth: 64 };

/** The parsed texts, by the objects that hold them. */
const parsed = new WeakMap<object, () => unknown>();

/** The JSON that a text consists of. Throws a `TypeError` that says why it cannot be read. */
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
 * Adds `json`: what `text` is as JSON, parsed when it is read and once for each `source`. Reading it throws if the text
 * is not JSON. It is not enumerable, so that no copy and no JSON of the view contains the text twice.
 */
export function withJson<View extends { readonly text: string }>(
  view: View,
  { source, stands }: { readonly source: object; readonly stands?: unknown },
): View & { readonly json: unknown } {
  const get = () => {
    if (stands !== undefined) return stands;
    const read = parsed.get(source) ?? toReading(view.text);
    parsed.set(source, read);
    return read();
  };
  return Object.defineProperty(view, "json", { get }) as View & { readonly json: unknown };
}

/** Parses a text once. The function that it returns gives the value, or throws the error, each time. */
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
