import { isJsonObject } from "../json.ts";

/** Describes a value for messages, without showing it. */
export function describeKind(value: unknown): string {
  if (typeof value === "string") return "a string";
  if (isNumeric(value)) return "a number";
  if (typeof value === "boolean") return "true or false";
  if (Array.isArray(value)) return "a list";
  return value === null ? "null" : "an object";
}

/** Checks for a number. Whole numbers in an expression are bigints. All others, and all of JSON, are of type number. */
export function isNumeric(value: unknown): value is bigint | number {
  return typeof value === "bigint" || typeof value === "number";
}

/** Checks that a whole number fits into 64 bits, as the language's integers do. */
export function toInt(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value;
  throw new TypeError("a whole number needs more than 64 bits");
}

/** Returns an own member of an object or an item of a list, or `undefined` if there is none. */
export function readMember(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    const index = isNumeric(key) ? Number(key) : -1;
    return Number.isInteger(index) && index >= 0 ? value[index] : undefined;
  }
  if (!isJsonObject(value) || typeof key !== "string") return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Compares two values deeply. Numbers of both types are equal if their values are. */
export function isEqual(a: unknown, b: unknown, budget: Budget): boolean {
  spendSteps(budget, 1);
  if (isNumeric(a) && isNumeric(b)) return a <= b && a >= b;
  if (typeof a === "string" && typeof b === "string") {
    if (a.length === b.length) spendSteps(budget, a.length / 1_000);
    return a === b;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isEqual(item, b[at], budget));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = Object.keys(a);
  spendSteps(budget, keys.length);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], budget));
}

/** Converts a result to JSON and charges the budget for all of it. */
export function toJson(value: unknown, budget: Budget): unknown {
  spendSteps(budget, 1);
  if (typeof value === "string") spendText(budget, value.length);
  if (isNumeric(value)) {
    const number = Number(value);
    const isExact = typeof value === "number" || Number.isSafeInteger(number);
    if (Number.isFinite(number) && isExact) return number;
    throw new TypeError("the result contains a number that JSON cannot represent");
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, budget));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    spendText(budget, key.length);
    return [key, toJson(inner, budget)];
  });
  return Object.fromEntries(entries);
}

/** The work that evaluations may still do. Several evaluations may share one budget. */
export interface Budget {
  /** The steps left: evaluating a part of an expression costs about one. */
  steps: number;
  /** The characters of text left that may be produced or returned. */
  text: number;
}

/** Creates a budget of 20,000 steps and 1,048,576 characters: a few milliseconds of work. */
export function createBudget(): Budget {
  return { steps: 20_000, text: 1_048_576 };
}

/** Spends steps. Throws a `RangeError` if none are left: no operator of the language catches it. */
export function spendSteps(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (!(budget.steps >= 0)) throw new RangeError("it takes more than 20,000 steps; read less data");
}

/** Spends characters before a text is produced. Throws like `spendSteps`. */
export function spendText(budget: Budget, length: number): void {
  budget.text -= length;
  spendSteps(budget, length / 1_000);
  if (!(budget.text >= 0))
    throw new RangeError("it produces more than 1 MiB of text; produce less");
}
