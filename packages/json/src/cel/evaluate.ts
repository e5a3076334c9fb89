import { isJsonObject, type JsonObject } from "../json.ts";
import { FUNCTIONS } from "./functions.ts";
import type { Node } from "./parse.ts";
import type { Budget } from "./values.ts";
import {
  describeKind,
  isEqual,
  isNumeric,
  readMember,
  spendSteps,
  spendText,
  toInt,
} from "./values.ts";

interface Run {
  readonly view: object;
  readonly budget: Budget;
  /** The items of the enclosing loops, by their names. */
  readonly items: ReadonlyMap<string, unknown>;
}

/** Evaluates a tree. Throws a `RangeError` if the budget is used up, and another error if a part cannot be evaluated. */
export function evaluateNode(node: Node, run: Run): unknown {
  const { op, name, args } = node;
  const { view, budget, items } = run;
  const [first = node, second = node, third = node] = args;
  const value = (part: Node) => evaluateNode(part, run);
  spendSteps(budget, 1);
  switch (op) {
    case "value":
      return node.value;
    case "name":
      return items.has(name) ? items.get(name) : read(view, { key: name, isWritten: true });
    case "select":
      return read(value(first), { key: name, isWritten: true });
    case "index":
      return read(value(first), { key: value(second), isWritten: second.op === "value" });
    case "has":
      return hasMember(toObject(value(first)), name);
    case "list":
      return args.map(value);
    case "map":
      return toMap(args.map(value));
    case "if":
      return value(toCondition(value(first)) ? second : third);
    case "loop":
      return runLoop(node, run);
    case "call": {
      if (name === "&&" || name === "||") {
        return decide(args, { decisive: name === "||", holds: (arg) => toCondition(value(arg)) });
      }
      const values = args.map(value);
      const known = FUNCTIONS.get(name);
      return known ? known.run(values, budget) : operate(name, values, budget);
    }
  }
}

function runLoop({ name, args }: Node, run: Run): unknown {
  const [list, as, body, each] = args as [Node, Node, Node, Node?];
  const value = evaluateNode(list, run);
  const items = isJsonObject(value) ? Object.keys(value) : value;
  if (!Array.isArray(items))
    throw new TypeError(`${name} needs a list, not ${describeKind(value)}`);
  if (items !== value) spendSteps(run.budget, items.length / 10);
  const evaluate = (item: unknown, part: Node) =>
    evaluateNode(part, { ...run, items: new Map([...run.items, [as.name, item]]) });
  const holds = (item: unknown) => toCondition(evaluate(item, body));
  if (name === "all" || name === "exists")
    return decide(items, { decisive: name === "exists", holds });
  if (name === "map" && !each) return items.map((item) => evaluate(item, body));
  const found = items.filter(holds);
  if (name === "exists_one") return found.length === 1;
  return each ? found.map((item) => evaluate(item, each)) : found;
}

/** Combines conditions like `&&` and `||`: one decisive item is enough, even if other items throw an error. */
function decide<Item>(
  items: readonly Item[],
  { decisive, holds }: { readonly decisive: boolean; holds(item: Item): boolean },
): boolean {
  let missed: unknown;
  for (const item of items) {
    try {
      if (holds(item) === decisive) return decisive;
    } catch (cause) {
      if (cause instanceof RangeError) throw cause;
      missed ??= cause;
    }
  }
  if (missed !== undefined) throw missed;
  return !decisive;
}

/** Reads a member. The error shows a key that is written in the expression, but no key that was read from a value. */
function read(
  value: unknown,
  { key, isWritten }: { readonly key: unknown; readonly isWritten: boolean },
): unknown {
  const found = readMember(value, key);
  if (found !== undefined) return found;
  const shown = isWritten ? `"${String(key).slice(0, 80)}"` : "such key";
  throw new TypeError(
    `${describeKind(value)} has no ${typeof key === "string" ? shown : "such item"}`,
  );
}

/** Returns false also for a text that is not JSON, whose `json` throws if it is read. */
function hasMember(value: JsonObject, name: string): boolean {
  try {
    return readMember(value, name) !== undefined;
  } catch {
    return false;
  }
}

function toObject(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`has() needs an object, not ${describeKind(value)}`);
}

function toCondition(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`a condition must be true or false, not ${describeKind(value)}`);
}

/** Makes an object of keys and values in turn. */
function toMap(parts: readonly unknown[]): JsonObject {
  const keys = parts.filter((_, at) => at % 2 === 0);
  const isKey = (key: unknown) => typeof key === "string" && key !== "__proto__";
  if (!keys.every(isKey)) throw new TypeError("a key must be a string other than __proto__");
  return Object.fromEntries(keys.map((key, at) => [key, parts[2 * at + 1]]));
}

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

/** Applies an operator. Throws a `TypeError` if its operands do not fit. */
function operate(name: string, sides: readonly unknown[], budget: Budget): unknown {
  const [a, b] = sides;
  if (name === "==") return isEqual(a, b, budget);
  if (name === "!=") return !isEqual(a, b, budget);
  if (name === "in" && Array.isArray(b)) return b.some((item) => isEqual(a, item, budget));
  if (name === "in" && describeKind(b) === "an object") return readMember(b, a) !== undefined;
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
  if (order && isOrdered(a) && isOrdered(b) && describeKind(a) === describeKind(b)) {
    if (typeof a === "string") spendSteps(budget, a.length / 1_000);
    return order(a, b);
  }
  const arithmetic = ARITHMETIC.get(name);
  if (arithmetic && isNumeric(a) && isNumeric(b)) {
    if (typeof a === "bigint" && typeof b === "bigint") return toInt(arithmetic.ints(a, b));
    return arithmetic.doubles(Number(a), Number(b));
  }
  const kinds = sides.map(describeKind).join(" and ");
  throw new TypeError(`${name.replace("_", "")} cannot be applied to ${kinds}`);
}

function nonZero(divisor: bigint): bigint {
  if (divisor !== 0n) return divisor;
  throw new TypeError("division by zero");
}

function isOrdered(value: unknown): value is Ordered {
  return isNumeric(value) || typeof value === "string" || typeof value === "boolean";
}
