/**
 * Normalizes a text for comparison: without JSON escapes, percent-decoded once, NFKC, lower case, without invisible characters,
 * and with one space for white space and for non-ASCII punctuation.
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

/** Joins groups of digits, as in "de89 3704 0044" and "555-0100". */
export function joinGroups(normalized: string): string {
  return normalized.replace(/(?<=\d)[ -](?=\d)/g, "");
}

/**
 * Returns true if a value is unlikely to occur in other texts by chance. It needs at least five characters with a digit or one of
 * `@ / _ .`, or five digits, or eight letters.
 */
export function isTelling(normalized: string): boolean {
  const count = (pattern: RegExp) => normalized.match(pattern)?.length ?? 0;
  if (!/\p{L}/u.test(normalized)) return count(/\d/g) >= 5;
  if (/[\d@/_.]/.test(normalized)) return count(/\S/g) >= 5;
  return count(/\p{L}/gu) >= 8;
}

/** Finds the identifiers inside a longer value: names, addresses and numbers. */
export function identifiersIn(normalized: string): readonly string[] {
  const found = new Set<string>();
  for (const [word] of normalized.matchAll(/[^\s"'`<>(){}[\],;|=&?#]+/g)) {
    for (const one of [word, ...word.split(/[/:]+/)]) {
      const trimmed = one.replace(/^[.:!/-]+|[.:!/-]+$/g, "");
      if (/[\d@/_.]/.test(trimmed) && isTelling(trimmed)) found.add(trimmed);
    }
  }
  found.delete(normalized);
  return [...found];
}
