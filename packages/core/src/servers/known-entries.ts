/** The longest text that is recognised again, and the most characters kept in all. Beyond that, the oldest texts are dropped. */
const MOST_OF_ONE = 16_384;
const MOST_OF_ALL = 2_000_000;

/** Reads an entry once for each JSON text, since servers repeat their lists as new objects. The result is frozen: hosts share it. */
export function readByText<T>(read: (entry: unknown) => T): (entry: unknown) => T {
  const known = new Map<string, T>();
  let size = 0;
  return (entry) => {
    let text: string | undefined;
    try {
      text = JSON.stringify(entry);
    } catch {} // The entry is circular, or nested too deep.
    if (text === undefined) return read(entry);
    const before = known.get(text);
    if (before !== undefined) return before;
    // A server in the same process may hand out an object that it changes later.
    const copy = JSON.stringify(read(JSON.parse(text)));
    const made: T = JSON.parse(copy, (_, value: unknown) => Object.freeze(value));
    if (text.length > MOST_OF_ONE) return made;
    known.set(text, made);
    size += text.length;
    for (const [oldest] of known) {
      if (size <= MOST_OF_ALL) break;
      known.delete(oldest);
      size -= oldest.length;
    }
    return made;
  };
}
