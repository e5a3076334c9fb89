/** Longest text that a pattern is tried on where no linear engine is there. */
export const MAX_PATTERN_TEXT = 2_000;

const MAX_OPEN_QUANTIFIERS = 2;
const SMALL_REPEAT = 16;

/**
 * Says why a pattern may take long in a backtracking engine, or `undefined`. Plain are patterns without
 * lookarounds, backreferences and repeated groups, with at most two open repeats: with the bound on the
 * text, the work is at most cubic in 2,000. Many safe patterns are refused: what is let through is safe.
 */
export function patternDefect(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "u");
  } catch (cause) {
    return `is none (${cause})`;
  }
  const text = pattern.replace(/\[(?:\\.|[^\]\\])*\]/gsu, "_");
  if (/\(\?<?[=!]/.test(text)) return "has a lookaround";
  if (/\\(?:[1-9]|k<)/.test(text)) return "has a backreference";
  const bare = text.replace(/\\./gsu, "_");
  if (/\)(?:[*+]|\{)/.test(bare)) return "repeats a group";
  const repeats = bare.match(/[*+]|\{\d+(?:,\d*)?\}/g) ?? [];
  if (repeats.filter(isOpen).length > MAX_OPEN_QUANTIFIERS) {
    return `has more than ${MAX_OPEN_QUANTIFIERS} open repeats`;
  }
  return undefined;
}

/** `{3}` and `{0,9}` are not: they multiply little. */
function isOpen(repeat: string): boolean {
  const [, least = "", comma = "", most = ""] = /^\{(\d+)(,?)(\d*)\}$/.exec(repeat) ?? [];
  if (least === "") return true;
  return comma === "" ? Number(least) > 1_000 : most === "" || Number(most) > SMALL_REPEAT;
}

/** A pattern that answers in reasonable time. */
export interface TextPattern {
  test(text: string): boolean;
}

/** Compiles a plain pattern. Throws for any other; a text over `MAX_PATTERN_TEXT` never fits. */
export function createPlainPattern(pattern: string): TextPattern {
  const defect = patternDefect(pattern);
  if (defect) throw new SyntaxError(`The pattern ${JSON.stringify(pattern)} ${defect}.`);
  const compiled = new RegExp(pattern, "u");
  return { test: (text) => text.length <= MAX_PATTERN_TEXT && compiled.test(text) };
}
