import { RE2JS } from "re2js";
import { type Pattern, patternCost, patternTokens } from "./cost.ts";

export type LinearRegExp = ReturnType<typeof createLinearRegExp>;

/**
 * Compiles an ECMA-262 pattern to run in time linear in the text (RE2). Lookaheads right after `^` are matched separately, so
 * that zod's patterns for emails and host names work. Throws for patterns without a linear form (other lookarounds,
 * backreferences) and for patterns that are too large.
 */
export function createLinearRegExp(pattern: string) {
  const { size } = patternCost(pattern);
  // RE2 reads the text after `\Q` as literal, unlike ECMA-262, so its size would be unknown.
  if (pattern.includes("\\Q")) throw new SyntaxError("A pattern must not contain \\Q.");
  const parts = splitLookaheads(pattern).map(({ text, negated }) => {
    return { compiled: RE2JS.compile(RE2JS.translateRegExp(text)), negated };
  });
  return {
    /** See `PatternCost`. */
    size,
    test: (text: string) =>
      parts.every(({ compiled, negated }) => compiled.matcher(text).find() !== negated),
  };
}

/** Splits off lookaheads: `^(?!a)(?=b)c` matches if `^(?:a)` does not, and `^(?:b)` and `^c` do. */
function splitLookaheads(pattern: string) {
  const whole = [{ text: pattern, negated: false }];
  const parts: typeof whole = [];
  const [first, ...rest] = patternTokens(pattern);
  while (first === "^" && (rest[0] === "(?=" || rest[0] === "(?!")) {
    const end = outermost(rest, ")");
    if (end < 0) return whole;
    const [opening, ...inner] = rest.splice(0, end + 1);
    const text = `^(?:${inner.slice(0, -1).join("")})`;
    parts.push({ text, negated: opening === "(?!" });
  }
  // If `|` is outside of any group, `^` belongs to the first alternative alone.
  if (parts.length === 0 || outermost(rest, "|") >= 0) return whole;
  return [...parts, { text: `^${rest.join("")}`, negated: false }];
}

/** Finds the first such token that is outside of all groups, or returns -1. */
function outermost(tokens: readonly string[], sought: string): number {
  let depth = 0;
  return tokens.findIndex((token) => {
    if (token.startsWith("(")) depth++;
    if (token === ")") depth--;
    return token === sought && depth === 0;
  });
}

/** Compiles a pattern that runs in linear time. Throws if there is no such form. */
export function createPattern(pattern: string): Pattern {
  const { size, test } = createLinearRegExp(pattern);
  return { test, cost: (length) => size * length };
}
