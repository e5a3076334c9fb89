import { RE2JS } from "re2js";

const MAX_LENGTH = 5_000;

/**
 * Compiles a pattern of ECMA-262 with the flag `u` to run in time linear in the text (RE2). Lookaheads right after `^` are matched
 * separately, so that zod's patterns for emails and host names work. Its `size` is the number of states of its automaton: a
 * test takes at most this many steps for each character. Throws a `SyntaxError` for patterns without a linear form (other
 * lookarounds, backreferences) and for long ones.
 */
export function createPattern(pattern: string) {
  if (pattern.length > MAX_LENGTH) {
    const shown = JSON.stringify(pattern.slice(0, 100));
    throw new SyntaxError(`The pattern ${shown} is longer than ${MAX_LENGTH} characters.`);
  }
  new RegExp(pattern, "u");
  const parts = splitLookaheads(pattern.match(TOKEN) ?? []).map(({ tokens, isNegated }) => {
    return { compiled: RE2JS.compile(tokens.map(translate).join("")), isNegated };
  });
  return {
    size: parts.reduce((sum, { compiled }) => sum + compiled.programSize(), 0),
    test: (text: string) =>
      parts.every(({ compiled, isNegated }) => compiled.test(text) !== isNegated),
  };
}

/** A class, an escape, the opening of a group, or a character. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|[pPu]\{[^}]*\}|u.{4}|x.{2}|c.|k<[^>]*>|.)/su;
const TOKEN = new RegExp(
  `\\[(?:\\\\.|[^\\]\\\\])*\\]|${ESCAPE.source}|\\((?:\\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|.`,
  "gsu",
);
const IN_CLASS = new RegExp(`${ESCAPE.source}|.`, "gsu");

const SPACE =
  "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const NO_SPACE =
  "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}" +
  "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

/** What RE2 reads in another way, outside of a class and in one. */
const OUTSIDE: Readonly<Record<string, string>> = {
  ".": "[^\\n\\r\\x{2028}\\x{2029}]",
  "\\s": `[${SPACE}]`,
  "\\S": `[${NO_SPACE}]`,
  "[]": "[^\\x00-\\x{10ffff}]",
  "[^]": "[\\x00-\\x{10ffff}]",
};
const IN_A_CLASS: Readonly<Record<string, string>> = {
  "\\s": SPACE,
  "\\S": NO_SPACE,
  "[": "\\[",
};

/** Writes a token as RE2 reads it. */
function translate(token: string): string {
  const other = OUTSIDE[token];
  if (other !== undefined) return other;
  if (token.startsWith("[")) {
    const opening = token.startsWith("[^") ? "[^" : "[";
    const inner = token.slice(opening.length, -1).match(IN_CLASS) ?? [];
    return `${opening}${inner.map((one) => IN_A_CLASS[one] ?? translateEscape(one)).join("")}]`;
  }
  // Older engines refuse the flags of a group. A name is of no use, and RE2 knows fewer of them.
  if (/^\(\?[a-z-]+:/.test(token))
    throw new SyntaxError(`a group with flags (${token}) is not supported`);
  return /^\(\?<[^=!]/.test(token) ? "(" : translateEscape(token);
}

/** Writes a character by its number where RE2 has no such escape, and a property by the name that RE2 knows. */
function translateEscape(token: string): string {
  if (/^\\[pP]/.test(token)) return token.replace(/(?:General_Category|gc|Script|sc)=/, "");
  if (/^\\u[dD].*\\u/.test(token)) return String(JSON.parse(`"${token}"`));
  return /^\\[uc]/.test(token) ? RE2JS.translateRegExp(token) : token;
}

/** Splits off lookaheads: `^(?!a)(?=b)c` matches if `^(?:a)` does not, and `^(?:b)` and `^c` do. */
function splitLookaheads(tokens: readonly string[]) {
  const whole = [{ tokens, isNegated: false }];
  const parts: typeof whole = [];
  const [first, ...rest] = tokens;
  while (first === "^" && (rest[0] === "(?=" || rest[0] === "(?!")) {
    const [opening, ...inner] = rest.splice(0, outermost(rest, ")") + 1);
    parts.push({ tokens: ["^(?:", ...inner], isNegated: opening === "(?!" });
  }
  // If `|` is outside of any group, `^` belongs to the first alternative alone.
  if (parts.length === 0 || outermost(rest, "|") >= 0) return whole;
  return [...parts, { tokens: ["^", ...rest], isNegated: false }];
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
