import { AssertionError, deepEqual, equal } from "node:assert/strict";
import type { ChainOutcome } from "./harness.ts";

/** Asserts that a text or a list holds that part. */
export function contains(whole: string | readonly unknown[], part: string): void {
  if (whole.includes(part)) return;
  throw new AssertionError({ message: `"${part}" is missing in ${JSON.stringify(whole)}` });
}

/** Asserts that a text or a list does not hold that part. */
export function lacks(whole: string | readonly unknown[], part: string): void {
  if (!whole.includes(part)) return;
  throw new AssertionError({ message: `"${part}" must not be in ${JSON.stringify(whole)}` });
}

/**
 * Asserts that a value has all that the pattern has: objects may hold more, lists may not. A RegExp stands
 * for any text that it finds.
 */
export function matches(actual: unknown, pattern: unknown, message?: string): void {
  deepEqual(select(actual, pattern), pattern, message);
}

/** What of a value the pattern speaks about. */
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

/** Asserts why a chain ended. */
export function ended(outcome: ChainOutcome, reason: ChainOutcome["ended"]): void {
  equal(outcome.ended, reason, `The chain ended as ${outcome.ended} and not as ${reason}.`);
}

/** What a harness must report for a requirement, unless it is exempt from it. */
export function reported<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value;
  throw new AssertionError({ message: `The harness reports no ${what}, and is not exempt.` });
}
