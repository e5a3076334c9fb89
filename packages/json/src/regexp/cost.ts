export interface Pattern {
  test(text: string): boolean;
  /** Estimates how many states an engine visits for a text of this length. */
  cost(length: number): number;
}

export interface PatternCost {
  /** The number of characters and classes after all repeats are expanded: the states of an automaton. */
  readonly size: number;
  /** A backtracking engine tries a text of n characters in at most `ways * n ** degree` ways. */
  readonly ways: number;
  readonly degree: number;
}

/** The maximum length of a pattern, and the maximum size with its repeats expanded. */
const MAX_SIZE = 5_000;
/** The maximum number of choices for an engine that backtracks. */
const MAX_WAYS = 10_000;
const MAX_DEGREE = 2;

/** Splits a pattern into the parts that have a meaning: classes, escapes, openings of groups, repeats, characters. */
export function patternTokens(pattern: string): string[] {
  return pattern.match(TOKEN) ?? [];
}

const TOKEN =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\((?:\?(?:<?[=!]|P?<[^>]*>|[a-z-]*:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gsu;

const EMPTY: PatternCost = { size: 0, ways: 1, degree: 0 };
const CHARACTER: PatternCost = { size: 1, ways: 1, degree: 0 };
const BACKREFERENCE: PatternCost = { size: 1, ways: 1, degree: 1 };

/** An unclosed group: its finished branches, the part of the current branch before its last item, and that item. */
interface Group {
  branches?: PatternCost;
  before: PatternCost;
  last: PatternCost;
}

/**
 * Computes an upper bound of a pattern's cost without running it. The bound is infinite if a repeat contains choices, as in
 * `(a+)+`. Throws a `SyntaxError` for a pattern too large for any engine.
 */
export function patternCost(pattern: string): PatternCost {
  const shown = JSON.stringify(pattern).slice(0, 100);
  const refuse = (why: string) => new SyntaxError(`The pattern ${shown} ${why}.`);
  if (pattern.length > MAX_SIZE) throw refuse(`is longer than ${MAX_SIZE} characters`);
  const outer: Group[] = [];
  let group: Group = { before: EMPTY, last: EMPTY };
  const add = (part: PatternCost) => {
    group.before = sequence(group.before, group.last);
    group.last = part;
  };
  for (const token of patternTokens(pattern)) {
    const repeat = REPEAT.exec(token);
    if (repeat) group.last = repeated(group.last, repeat);
    else if (token === "|") group = { branches: closed(group), before: EMPTY, last: EMPTY };
    else if (token.startsWith("(")) {
      outer.push(group);
      group = { before: EMPTY, last: EMPTY };
    } else if (token === ")") {
      const whole = closed(group);
      group = outer.pop() ?? { before: EMPTY, last: EMPTY };
      add(whole);
    } else add(/^\\(?:[1-9]|k<)/.test(token) ? BACKREFERENCE : CHARACTER);
  }
  const whole = closed(group);
  if (whole.size > MAX_SIZE) throw refuse(`has over ${MAX_SIZE} parts with its repeats expanded`);
  const isAnchored = pattern.startsWith("^") && group.branches === undefined;
  return isAnchored ? whole : { ...whole, degree: whole.degree + 1 };
}

/**
 * Returns a function from a text's length to the maximum steps of a backtracking engine. Throws a `SyntaxError` for an invalid
 * pattern, and for one that may take longer than quadratic time or has too many choices. Many harmless patterns are refused
 * too.
 */
export function patternSteps(pattern: string): (length: number) => number {
  new RegExp(pattern, "u");
  const { size, ways, degree } = patternCost(pattern);
  if (ways > MAX_WAYS || degree > MAX_DEGREE) {
    throw new SyntaxError(`The pattern ${JSON.stringify(pattern)} may match in too many ways.`);
  }
  return (length) => size * ways * length ** degree;
}

const REPEAT = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??$/;

/** Reads a number of repeats. A larger one than counts would become infinite, and nothing times infinity is not a number. */
function toCount(digits: string | undefined): number {
  return Math.min(Number(digits), MAX_SIZE + 1);
}

function repeated(part: PatternCost, [text = "", least = "", comma, most]: RegExpExecArray) {
  const min = least === "" ? (text.startsWith("+") ? 1 : 0) : toCount(least);
  const open = text.startsWith("*") || text.startsWith("+") || (comma === "," && most === "");
  const max = text.startsWith("?") ? 1 : comma === "," ? toCount(most) : min;
  const size = part.size * Math.max(1, open ? min : max) + 1;
  if (!open) {
    return { size, ways: (max - min + 1) * part.ways ** max, degree: part.degree * max };
  }
  const hasChoices = part.ways > 1 || part.degree > 0;
  return { size, ways: hasChoices ? Number.POSITIVE_INFINITY : 1, degree: 1 };
}

function sequence(a: PatternCost, b: PatternCost): PatternCost {
  return { size: a.size + b.size, ways: a.ways * b.ways, degree: a.degree + b.degree };
}

function closed({ branches, before, last }: Group): PatternCost {
  const branch = sequence(before, last);
  if (branches === undefined) return branch;
  const degree = Math.max(branches.degree, branch.degree);
  return { size: branches.size + branch.size, ways: branches.ways + branch.ways, degree };
}
