import { Environment } from "@marcbachmann/cel-js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseExpression } from "../../src/cel/index.ts";

const VIEW = {
  n: 2.5,
  s: "ab",
  items: [1.5, 2.5, 4],
  rows: [{ id: "a", score: 0.5 }, { id: "b", score: 1.5 }, { id: "c" }],
  table: { a: "x", "b-c": null },
};

const { expression } = fc.letrec<Record<"expression" | "atom" | "list", string>>((tie) => ({
  atom: fc.constantFrom(
    ..."n s items rows table true false null 1 -2 2.5 'a' \"b\" 'ab' table.a table['b-c'] rows[0].id items[1] table.z".split(
      " ",
    ),
  ),
  list: fc.oneof(fc.constantFrom("items", "rows", "table", "[1, 2, 3]"), tie("expression")),
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("atom"),
    fc
      .tuple(tie("expression"), fc.constantFrom(...OPERATORS()), tie("expression"))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc
      .tuple(tie("expression"), fc.constantFrom(...OPERATORS()), tie("atom"))
      .map((parts) => parts.join(" ")),
    tie("expression").map((a) => `!(${a})`),
    tie("expression").map((a) => `size(${a})`),
    fc
      .tuple(tie("expression"), tie("expression"), tie("expression"))
      .map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    fc
      .tuple(
        tie("list"),
        fc.constantFrom("all", "exists", "exists_one", "filter", "map"),
        tie("expression"),
      )
      .map(([list, loop, body]) => `${list}.${loop}(x, ${body.replace(/\bn\b|\bs\b/g, "x")})`),
    tie("expression").map((body) => `rows.map(r, has(r.score), ${body})`),
    fc
      .tuple(tie("atom"), fc.constantFrom("startsWith", "endsWith", "contains"))
      .map(([a, f]) => `${a}.${f}('a')`),
    fc.array(tie("expression"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc.tuple(tie("atom"), tie("expression")).map(([a, b]) => `{'k': ${a}, "l": ${b}}`),
  ),
}));

function OPERATORS(): readonly string[] {
  return ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "in"];
}

/**
 * True where two relations follow each other without parentheses, as in `a != b <= c`. The language gives all relations
 * one precedence, from the left; the other implementation lets `==` and `!=` bind less.
 */
function chainsRelations(source: string): boolean {
  let rest = source.replace(/'[^']*'|"[^"]*"/g, "0");
  for (let before = ""; before !== rest; rest = rest.replace(INNERMOST, "0")) {
    before = rest;
    if ([...rest.matchAll(INNERMOST)].some(([part]) => CHAIN.test(part))) return true;
  }
  return CHAIN.test(rest);
}

const INNERMOST = /\([^()[\]{}]*\)|\[[^()[\]{}]*\]|\{[^()[\]{}]*\}/g;
const CHAIN = /(?:[<>]=?|[=!]=|\bin\b)[^&|?:,]*(?:[<>]=?|[=!]=|\bin\b)/;

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)) ??
      "null",
  );
}

it("If another implementation of CEL has a value, this one has the same.", () => {
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  let compared = 0;
  fc.assert(
    fc.property(expression, (source) => {
      if (chainsRelations(source)) return;
      let expected: unknown;
      try {
        expected = environment.evaluate(source, VIEW);
      } catch {
        return;
      }
      if (!Number.isFinite(typeof expected === "number" ? expected : 0)) return;
      const parsed = parseExpression(source, { roots: Object.keys(VIEW) });
      if (typeof parsed === "string") expect(parsed).toMatch(/nested|longer/);
      else {
        compared++;
        expect(parsed.evaluate(VIEW)).toEqual({ ok: true, value: plain(expected) });
      }
    }),
    { numRuns: 3_000 },
  );
  expect(compared).toBeGreaterThan(300);
});
