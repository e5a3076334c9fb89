import { parseJsonText } from "../json-text.ts";
import { createPattern, type Pattern } from "../schema/pattern.ts";
import { type Budget, describeKind, isNumeric, spendSteps, spendText, toInt } from "./values.ts";

/** A function of the language. The first argument of a method is the value before its dot. */
interface ExpressionFunction {
  /** The minimum and maximum number of arguments. */
  readonly least: number;
  readonly most: number;
  run(args: readonly unknown[], budget: Budget): unknown;
}

const takes = (least: number, run: ExpressionFunction["run"], { most = least } = {}) => {
  return { least, most, run };
};
const size = takes(1, ([value], budget) => countSize(value, budget));
const matches = takes(2, ([text, pattern], budget) => isMatch(needText(text), pattern, budget));

/** All functions and, beginning with a dot, all methods. */
export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map([
  ["size", size],
  [".size", size],
  ["matches", matches],
  [".matches", matches],
  ["dyn", takes(1, ([value]) => value)],
  ["string", takes(1, ([value]) => toText(value))],
  ["int", takes(1, ([value]) => toWhole(value))],
  ["double", takes(1, ([value]) => toDouble(value))],
  ["json", takes(1, ([text], budget) => toJsonValue(needText(text), budget))],
  [
    ".startsWith",
    takes(2, ([text, part], budget) => compared(text, part, budget).startsWith(needText(part))),
  ],
  [
    ".endsWith",
    takes(2, ([text, part], budget) => compared(text, part, budget).endsWith(needText(part))),
  ],
  [
    ".contains",
    takes(2, ([text, part], budget) => searched(text, part, budget).includes(needText(part))),
  ],
  [".lowerAscii", takes(1, ([text], budget) => lowerAscii(needText(text), budget))],
  [".split", takes(2, ([text, by], budget) => split(text, by, budget))],
  [".join", takes(1, ([list, by = ""], budget) => join(list, by, budget), { most: 2 })],
  [".replace", takes(3, ([text, part, by], budget) => join(split(text, part, budget), by, budget))],
]);

function needText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new TypeError(`a string is needed, not ${describeKind(value)}`);
}

/** Tests a text. The parser has already compiled the pattern if it is a literal. */
function isMatch(text: string, pattern: unknown, budget: Budget): boolean {
  const { test, size } = isPattern(pattern) ? pattern : toPattern(needText(pattern));
  const cost = (length: number) => size * length;
  spendSteps(budget, (isPattern(pattern) ? 0 : cost(50)) + cost(text.length) / 50);
  return test(text);
}

/** Compiles a pattern that was read from a value, which no error shows. */
function toPattern(pattern: string): Pattern {
  try {
    return createPattern(pattern);
  } catch {
    throw new TypeError("this pattern is invalid, or may take too long");
  }
}

function isPattern(value: unknown): value is Pattern {
  return (
    typeof value === "object" &&
    value !== null &&
    "test" in value &&
    typeof value.test === "function"
  );
}

function countSize(value: unknown, budget: Budget): bigint {
  if (typeof value === "object" && value !== null) {
    const { length } = Object.keys(value);
    spendSteps(budget, length / 10);
    return BigInt(length);
  }
  const text = needText(value);
  spendSteps(budget, text.length / 200);
  return BigInt(text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0));
}

/** Returns the text after charging for a comparison of its beginning or end with a part. */
function compared(value: unknown, part: unknown, budget: Budget): string {
  spendSteps(budget, needText(part).length / 1_000);
  return needText(value);
}

/** Returns the text after charging for a search: at most as many comparisons as both lengths allow. */
function searched(value: unknown, part: unknown, budget: Budget): string {
  const text = needText(value);
  spendSteps(budget, (text.length * Math.min(needText(part).length, 250)) / 5_000);
  return text;
}

function lowerAscii(text: string, budget: Budget): string {
  spendText(budget, text.length);
  const parts = text.split(/([^\0-\x7f]+)/);
  return parts.map((part, at) => (at % 2 === 0 ? part.toLowerCase() : part)).join("");
}

function split(value: unknown, by: unknown, budget: Budget): readonly string[] {
  if (by === "") throw new TypeError("a separator must not be empty");
  const parts = searched(value, by, budget).split(needText(by), Math.ceil(budget.steps) + 1);
  spendSteps(budget, parts.length);
  return parts;
}

function join(list: unknown, by: unknown, budget: Budget): string {
  if (!Array.isArray(list)) throw new TypeError(`join needs a list, not ${describeKind(list)}`);
  spendSteps(budget, list.length);
  for (const item of list) spendText(budget, needText(item).length + needText(by).length);
  return list.join(needText(by));
}

function toText(value: unknown): string {
  if (typeof value !== "object") return String(value);
  throw new TypeError(`${describeKind(value)} cannot become a string`);
}

function toWhole(value: unknown): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isFinite(value)) return toInt(BigInt(Math.trunc(value)));
  if (typeof value === "string" && /^-?\d{1,19}$/.test(value)) return toInt(BigInt(value));
  throw new TypeError(`${describeKind(value)} cannot become a whole number`);
}

/** Parses a text as JSON. The text counts as produced. */
function toJsonValue(text: string, budget: Budget): unknown {
  spendText(budget, text.length);
  spendSteps(budget, text.length / 100);
  return parseJsonText(text);
}

function toDouble(value: unknown): number {
  if (isNumeric(value)) return Number(value);
  const isNumber = typeof value === "string" && /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value);
  if (isNumber) return Number(value);
  throw new TypeError(`${describeKind(value)} cannot become a number`);
}
