import { type Budget, spendSteps, spendText } from "./budget.ts";
import { isEqual, isNumeric, kindOf, memberOf, toInt } from "./values.ts";

type Ordered = bigint | number | string | boolean;

const ORDER = new Map<string, (a: Ordered, b: Ordered) => boolean>([
  ["<", (a, b) => a < b],
  ["<=", (a, b) => a <= b],
  [">", (a, b) => a > b],
  [">=", (a, b) => a >= b],
]);

interface Arithmetic {
  ints(a: bigint, b: bigint): bigint;
  doubles(a: number, b: number): number;
}

const ARITHMETIC = new Map<string, Arithmetic>([
  ["+", { ints: (a, b) => a + b, doubles: (a, b) => a + b }],
  ["-", { ints: (a, b) => a - b, doubles: (a, b) => a - b }],
  ["*", { ints: (a, b) => a * b, doubles: (a, b) => a * b }],
  ["/", { ints: (a, b) => a / nonZero(b), doubles: (a, b) => a / b }],
  ["%", { ints: (a, b) => a % nonZero(b), doubles: (a, b) => a % b }],
]);

/** The value of an operator. Throws if it cannot be applied to its operands. */
export function operate(name: string, sides: readonly unknown[], budget: Budget): unknown {
  const [a, b] = sides;
  if (name === "==") return isEqual(a, b, budget);
  if (name === "!=") return !isEqual(a, b, budget);
  if (name === "in" && Array.isArray(b)) return b.some((item) => isEqual(a, item, budget));
  if (name === "in" && kindOf(b) === "an object") return memberOf(b, a) !== undefined;
  if (name === "!_" && typeof a === "boolean") return !a;
  if (name === "-_" && isNumeric(a)) return typeof a === "bigint" ? toInt(-a) : -a;
  if (name === "+" && typeof a === "string" && typeof b === "string") {
    spendText(budget, a.length + b.length);
    return a + b;
  }
  if (name === "+" && Array.isArray(a) && Array.isArray(b)) {
    spendSteps(budget, a.length + b.length);
    return [...a, ...b];
  }
  const order = ORDER.get(name);
  if (order && isOrdered(a) && isOrdered(b) && kindOf(a) === kindOf(b)) {
    if (typeof a === "string") spendSteps(budget, a.length / 1_000);
    return order(a, b);
  }
  const arithmetic = ARITHMETIC.get(name);
  if (arithmetic && isNumeric(a) && isNumeric(b)) {
    if (typeof a === "bigint" && typeof b === "bigint") return toInt(arithmetic.ints(a, b));
    return arithmetic.doubles(Number(a), Number(b));
  }
  const kinds = sides.map(kindOf).join(" and ");
  throw new TypeError(`${name.replace("_", "")} cannot be applied to ${kinds}`);
}

function nonZero(divisor: bigint): bigint {
  if (divisor !== 0n) return divisor;
  throw new TypeError("division by zero");
}

function isOrdered(value: unknown): value is Ordered {
  return isNumeric(value) || typeof value === "string" || typeof value === "boolean";
}
