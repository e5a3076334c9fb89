const WORDS = "Bridges, mills and schools were built along the river. ";
const pages = new Map<number, Buffer>();
let made = 0;

/**
 * A text of so many characters that nobody has had before. Each call gets one of its own, as it does from a real server:
 * what an engine keeps with a string, such as its hash, would otherwise be counted once and then never again.
 */
export function newText(length: number): string {
  const page = pages.get(length) ?? Buffer.alloc(length, WORDS);
  pages.set(length, page);
  const mark = String(made++).padStart(MARK, "0");
  page.write(mark, 0, "latin1");
  page.write(mark, Math.max(0, length - MARK), "latin1");
  return page.toString("latin1");
}

const MARK = 10;
