import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { describe, expect, it } from "vitest";
import { parseExpression } from "../../src/cel/index.ts";

type Value = Extract<IncrementalTest["original"]["resultMatcher"], { case: "value" }>["value"];

class NotJson extends Error {}

function toJson({ kind }: Value): unknown {
  switch (kind.case) {
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
      return kind.value;
    case "doubleValue":
    case "int64Value":
      if (Number.isFinite(Number(kind.value)) && Math.abs(Number(kind.value)) < 2 ** 53) {
        return Number(kind.value);
      }
      throw new NotJson();
    case "listValue":
      return kind.value.values.map(toJson);
    case "mapValue":
      return Object.fromEntries(
        kind.value.entries.map(({ key, value }) => [key && toKey(key), value && toJson(value)]),
      );
    default:
      throw new NotJson();
  }
}

function toKey(value: Value): string {
  if (value.kind.case === "stringValue") return value.kind.value;
  throw new NotJson();
}

/** The test as our language can say it: JSON values only. */
function toCase({ original }: IncrementalTest) {
  const { expr, bindings, container, resultMatcher } = original;
  if (container !== "") return [];
  try {
    const view = Object.fromEntries(
      Object.entries(bindings).map(([name, { kind }]) => {
        if (kind.case !== "value") throw new NotJson();
        return [name, toJson(kind.value)];
      }),
    );
    const expression = parseExpression(expr, { roots: Object.keys(view) });
    if (typeof expression === "string") return [];
    const { case: kind = "none", value } = resultMatcher;
    if (kind === "evalError") return [{ expr, view, expression, fails: true, value: null }];
    if (kind !== "none" && kind !== "value") return [];
    const expected = kind === "value" ? toJson(value as Value) : true;
    return [{ expr, view, expression, fails: false, value: expected }];
  } catch (cause) {
    if (cause instanceof NotJson) return [];
    throw cause;
  }
}

function allTests({ suites, tests }: IncrementalTestSuite): readonly IncrementalTest[] {
  return [...tests, ...suites.flatMap(allTests)];
}

/** Numbers of JSON are doubles, so that a double has a remainder too, and 2^63 is compared as it is. */
const OTHER = /^47\.5 % 5\.5$|9223372036854775808\.0/;

describe("The conformance suite of CEL", () => {
  const cases = allTests(getConformanceSuite()).flatMap(toCase);

  it("has at least 550 cases that are in the subset and have JSON values.", () => {
    expect(cases.length).toBeGreaterThan(550);
  });

  it("gives each of them its value, or an error if object keys are not strings or numbers are not JSON.", () => {
    const wrong = cases.filter(({ expr, view, expression, value, fails }) => {
      const got = expression.evaluate(view);
      if (!got.ok)
        return !fails && !/a key must be a string|JSON cannot represent/.test(got.message);
      if (OTHER.test(expr)) return false;
      if (fails) return true;
      return !sameJson(got.value, value);
    });
    expect(wrong.map(({ expr }) => expr)).toEqual([]);
  });
});

function sameJson(a: unknown, b: unknown): boolean {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
}
