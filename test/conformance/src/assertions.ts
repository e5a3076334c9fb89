import { AssertionError, deepEqual, equal } from "node:assert/strict";
import type { ChainOutcome } from "./harness.ts";

/** Asserts that a text or a list contains a part. */
export function contains(whole: string | readonly unknown[], part: string): void {
  if (whole.includes(part)) return;
  throw new AssertionError({ message: `"${part}" is missing in ${JSON.stringify(whole)}` });
}

/** Asserts that a text or a list does not contain a part. */
export function lacks(whole: string | readonly unknown[], part: string): void {
  if (!whole.includes(part)) return;
  throw new AssertionError({ message: `"${part}" must not be in ${JSON.stringify(whole)}` });
}

/**
 * Asserts that a value has all parts of the pattern. Objects may have more, but lists may not. A RegExp matches any text that it
 * finds.
 */
export function matches(actual: unknown, pattern: unknown, message?: string): void {
  deepEqual(select(actual, pattern), pattern, message);
}

/** Selects the parts of a value that the pattern describes. */
function select(actual: unknown, pattern: unknown): unknown {
  if (pattern instanceof RegExp) return pattern.test(String(actual)) ? pattern : actual;
  if (Array.isArray(pattern)) {
    return Array.isArray(actual) ? actual.map((item, at) => select(item, pattern[at])) : actual;
  }
  if (!isObject(pattern) || !isObject(actual)) return actual;
  return Object.fromEntries(
    Object.keys(pattern).map((key) => [key, select(actual[key], pattern[key])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export function ended(outcome: ChainOutcome, reason: ChainOutcome["ended"]): void {
  equal(outcome.ended, reason, `The chain ended as ${outcome.ended} and not as ${reason}.`);
}

/** Asserts that a harness reports a value. It must do so unless it is exempt from the requirement. */
export function reported<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value;
  throw new AssertionError({ message: `The harness reports no ${what}, and is not exempt.` });
}
