/** The longest text that is known again, and how many characters are kept of all: beyond that the oldest go. */
const MOST_OF_ONE = 16_384;
const MOST_OF_ALL = 2_000_000;

/**
 * Reads an entry of a list once for each JSON text, since servers list the same again and again as new objects. What was
 * read is frozen: hosts share it.
 */
export function readByText<T>(read: (entry: unknown) => T): (entry: unknown) => T {
  const known = new Map<string, T>();
  let size = 0;
  return (entry) => {
    let text: string | undefined;
    try {
      text = JSON.stringify(entry);
    } catch {} // It goes in circles, or is nested too deep.
    if (text === undefined) return read(entry);
    const before = known.get(text);
    if (before !== undefined) return before;
    // In one process a server may hand out an object that it changes later.
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
