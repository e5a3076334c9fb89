import { RE2JS } from "re2js";

/** A compiled pattern. `toString` gives the pattern back: Ajv tells patterns apart by it. */
export interface LinearRegExp {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Compiles an ECMA-262 pattern to run in time linear in the text (RE2). Lookaheads right after `^` are
 * matched on their own, so that the patterns zod writes for emails and host names work. Throws for what
 * has no linear form: other lookarounds, and backreferences.
 */
export function createLinearRegExp(pattern: string): LinearRegExp {
  const parts = splitLookaheads(pattern).map(({ text, negated }) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(text));
    return { compiled, negated };
  });
  return {
    test: (text) =>
      parts.every(({ compiled, negated }) => compiled.matcher(text).find() !== negated),
    toString: () => pattern,
  };
}

interface Part {
  readonly text: string;
  readonly negated: boolean;
}

/** `^(?!a)(?=b)c` holds where `^(?:a)` does not, and `^(?:b)` and `^c` do. */
function splitLookaheads(pattern: string): Part[] {
  const parts: Part[] = [];
  let rest = pattern.startsWith("^") ? pattern.slice(1) : "";
  for (;;) {
    const opening = /^\(\?([=!])/.exec(rest);
    const end = opening && closingParenthesis(rest);
    if (!opening || !end) break;
    parts.push({ text: `^(?:${rest.slice(3, end)})`, negated: opening[1] === "!" });
    rest = rest.slice(end + 1);
  }
  if (parts.length === 0 || hasAlternatives(rest)) return [{ text: pattern, negated: false }];
  return [...parts, { text: `^${rest}`, negated: false }];
}

/** The place of the parenthesis that closes the one at the start. */
function closingParenthesis(pattern: string): number | undefined {
  for (const { at, char, depth } of scan(pattern)) if (char === ")" && depth === 0) return at;
  return undefined;
}

/** True where `|` stands outside of any group: `^` then belongs to the first alternative alone. */
function hasAlternatives(pattern: string): boolean {
  for (const { char, depth } of scan(pattern)) if (char === "|" && depth === 0) return true;
  return false;
}

/** The characters of a pattern that have a meaning, with the depth of groups after each. */
function* scan(pattern: string): Generator<{ at: number; char: string; depth: number }> {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "\\") at++;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else {
      if (char === "(") depth++;
      if (char === ")") depth--;
      yield { at, char, depth };
    }
  }
}
