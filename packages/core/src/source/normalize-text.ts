/**
 * A text as it is compared: without JSON escapes, percent-decoded once, in NFKC and lower case, without invisible
 * characters, and with one space for white space and for signs beyond ASCII.
 */
export function normalizeText(text: string): string {
  const plain = text.includes("\\") ? text.replace(ESCAPE, readEscape) : text;
  const decoded = plain.includes("%") ? plain.replace(/(?:%[\da-f]{2})+/gi, decode) : plain;
  const folded = decoded.normalize("NFKC").toLowerCase();
  const words = /\P{ASCII}/u.test(folded)
    ? folded.replace(/\p{Cf}/gu, "").replace(/[^\p{ASCII}\p{L}\p{N}\p{M}]/gu, " ")
    : folded;
  return words.replace(/\s+/g, " ").trim();
}

const ESCAPE = /\\(u[\da-f]{4}|.)/gi;

function readEscape(_: string, code: string): string {
  if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[nrtbf]/.test(code) ? " " : code;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text with the groups of numbers joined: "de89 3704 0044" and "555-0100" as they are passed on. */
export function joinGroups(normalized: string): string {
  return normalized.replace(/(?<=\d)[ -](?=\d)/g, "");
}

/**
 * True for a value that says where it came from, and does not stand in every other text by chance: with a digit or one
 * of `@ / _ .` five characters, of digits alone five, of letters alone eight.
 */
export function isTelling(normalized: string): boolean {
  const count = (pattern: RegExp) => normalized.match(pattern)?.length ?? 0;
  if (!/\p{L}/u.test(normalized)) return count(/\d/g) >= 5;
  if (/[\d@/_.]/.test(normalized)) return count(/\S/g) >= 5;
  return count(/\p{L}/gu) >= 8;
}

/** The identifiers inside a longer value: names, addresses and numbers, each as it would stand alone; 256 at most. */
export function identifiersIn(normalized: string): readonly string[] {
  const found = new Set<string>();
  for (const [word] of normalized.matchAll(/[^\s"'`<>(){}[\],;|=&?#]+/g)) {
    for (const one of [word, ...word.split(/[/:]+/)]) {
      const trimmed = one.replace(/^[.:!/-]+|[.:!/-]+$/g, "");
      if (/[\d@/_.]/.test(trimmed) && isTelling(trimmed)) found.add(trimmed);
    }
    if (found.size >= 256) break;
  }
  found.delete(normalized);
  return [...found];
}
