import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expression, parseExpression } from "../../src/cel/index.ts";
import { createBudget } from "../../src/cel/values.ts";

function parsed(source: string, roots: readonly string[] = ["steps", "item"]): Expression {
  const expression = parseExpression(source, { roots });
  if (typeof expression === "string") throw new Error(expression);
  return expression;
}

function refusal(source: string): string {
  const expression = parseExpression(source, { roots: ["steps", "item"] });
  return typeof expression === "string" ? expression : "accepted";
}

const view = {
  steps: {
    search: { rows: [{ url: "a", score: 0.9 }, { url: "b", score: 0.2 }, { url: "c" }], total: 3 },
    skipped: { ok: true, skipped: true },
  },
  item: { name: "Ann", list: [1, 2, 3], none: null },
};

const value = (source: string) => {
  const evaluation = parsed(source).evaluate(view);
  return evaluation.ok ? evaluation.value : evaluation.message;
};

describe("parseExpression", () => {
  it.each<[string, unknown]>([
    ["steps.search.rows.filter(r, has(r.score) && r.score > 0.5).map(r, r.url)", ["a"]],
    ["steps.search.rows.map(r, has(r.score), {'url': r.url, 'score': r.score * 2}).size()", 2],
    ["item.list[1] + 1", 3],
    ["item.list[item.list[0]]", 2],
    ["7 / 2 == 3 && item.list[2] / 2 == 1.5", true],
    ["item.list[2] % 2", 1],
    ["steps['search'].total > 2 ? 'many' : 'few'", "many"],
    ["has(steps.skipped.structured) && steps.skipped.structured.x == 1", false],
    ["steps.skipped.structured.x == 1 || item.name.startsWith('A')", true],
    ["item.name.lowerAscii() + '-' + string(steps.search.total)", "ann-3"],
    ["steps.search.rows.map(r, r.url).join(', ')", "a, b, c"],
    ["'a;b'.split(';') + ['c']", ["a", "b", "c"]],
    ["'a.b.c'.replace('.', '/')", "a/b/c"],
    ["item.name.matches('^[A-Z][a-z]+$')", true],
    ["'name' in item && !('x' in item) && 2 in item.list", true],
    ["item.none == null", true],
    ['json(\'{"a": [1, {"b": 2}]}\').a[1].b + 1', 3],
    ["json('[1, 2]').map(n, n * 2)", [2, 4]],
    ["json(string(item.list[0])) == 1", true],
    ["json('no')", "the text is not JSON"],
    ["json(item)", "a string is needed, not an object"],
    [
      'json(\'{"__proto__": {"a": 1}}\').a',
      "the text cannot be read as JSON: it contains the key __proto__",
    ],
    ["[item.list, {'it\\'s': \"\\u00e9\"}]", [[1, 2, 3], { "it's": "é" }]],
  ])("%s", (source, expected) => {
    expect(value(source)).toEqual(expected);
  });

  it("names what it reads, as far as that is known beforehand.", () => {
    const { paths } = parsed(
      "steps.a.rows[0]['x-y'].filter(r, r.z > item.least)[item.at].url + steps.b.rows[item.n].c + (has(steps.c.d) ? '' : '!')",
    );
    const texts = paths.map((path) => path.join("."));
    expect(texts).toEqual([
      "steps.a.rows.0.x-y",
      "item.least",
      "item.at",
      "steps.b.rows",
      "item.n",
      "steps.c.d",
    ]);
  });

  it.each([
    ["steps.a +", "at character 10: a value is expected here, not the end"],
    ["steps.a )", "at character 9: an operator or the end is expected here, not )"],
    ["'open", "at character 1: this is not valid here"],
    ["'\\q'", "at character 1: this text contains an unknown escape or a control character"],
    ["setps.a", "at character 1: there is no setps here; use steps, item"],
    ["item.list.map(x, y)", "at character 18: there is no y here; use steps, item, x"],
    ["item.list.map(item, 1)", "at character 15: the name item is already taken"],
    ["item.list.map(1, 1)", "at character 1: map is written list.map(name, expression)"],
    ["has(item)", "at character 1: has is written has(value.key)"],
    ["eval('1')", "at character 1: there is no such function as eval"],
    ["item.constructor('1')", "at character 1: there is no such function as constructor"],
    ["size(1, 2)", "at character 1: size does not take 2 arguments"],
    ["b'bytes'", "at character 2: an operator or the end is expected here, not 'bytes'"],
    ["1u", "at character 2: an operator or the end is expected here, not u"],
    ["item ? 1", 'at character 9: ":" is expected here, not the end'],
    ["item.name.matches('(')", "at character 19:"],
    ["item.name.matches('(a)\\\\1')", "at character 19:"],
  ])("refuses %s and says where it is wrong.", (source, message) => {
    expect(refusal(source)).toContain(message);
  });

  it("refuses expressions that are too long, too deep or have more than three nested loops.", () => {
    expect(refusal(`'${"a".repeat(2_000)}'`)).toBe("it is longer than 2000 characters");
    expect(refusal(`${"(".repeat(41)}1${")".repeat(41)}`)).toContain(
      "nested more than 40 levels deep",
    );
    expect(refusal(`${"[".repeat(500)}`)).toContain("nested more than 40 levels deep");
    expect(refusal(`${"!".repeat(1_999)}a`)).toContain("it has over 600 parts");
    const loops = (depth: number): string =>
      depth === 0 ? "1" : `item.list.map(x${depth}, ${loops(depth - 1)})`;
    expect(refusal(loops(3))).toBe("accepted");
    expect(refusal(loops(4))).toContain("more than 3 nested loops");
  });

  it("returns an expression or what is wrong for any text, and never throws.", () => {
    const part = fc.constantFrom(
      ..."steps item . [ ] ( ) { } , : ? && || ! - + 'a' \" 1 2.5 0x1 has map in == < // \\ ` é".split(
        " ",
      ),
      "\n",
    );
    const source = fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 30 });
    fc.assert(
      fc.property(source, (parts) => {
        const expression = parseExpression(parts.join(" "), { roots: ["steps", "item"] });
        if (typeof expression === "string") expect(expression).toMatch(/^at character \d+: ./);
        else expect(typeof expression.evaluate(view).ok).toBe("boolean");
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("evaluate", () => {
  it.each([
    ["steps.missing.rows", 'an object has no "missing"'],
    ["item.list[3]", "a list has no such item"],
    ["item.name.first", 'a string has no "first"'],
    ["item.list['length']", 'a list has no "length"'],
    ["item['constructor']", 'an object has no "constructor"'],
    ["item.__proto__", 'an object has no "__proto__"'],
    ["steps.search.rows.map(r, r.toString)", 'an object has no "toString"'],
    ["steps[item.name]", "an object has no such key"],
    ["item.name.matches(item.name + '(')", "this pattern is invalid, or may take too long"],
    ["{'__proto__': 1}", "a key must be a string other than __proto__"],
    ["item.name ? 1 : 2", "a condition must be true or false, not a string"],
    ["item.list + 'a'", "+ cannot be applied to a list and a string"],
    ["-item.name", "- cannot be applied to a string"],
    ["item.name.all(x, true)", "all needs a list, not a string"],
    ["has(item.name.x)", "has() needs an object, not a string"],
    ["1 / 0", "division by zero"],
    ["1.0 / 0.0", "the result contains a number that JSON cannot represent"],
    ["9223372036854775807 + 1", "a whole number needs more than 64 bits"],
    ["9007199254740993", "the result contains a number that JSON cannot represent"],
  ])("%s says what is wrong: %s", (source, message) => {
    expect(value(source)).toBe(message);
  });

  it("never shows a value in an error.", () => {
    const secret = { item: { "secret-key": "secret" } };
    for (const source of [
      "item['secret-key'] + 1",
      "item['secret-key'].x",
      "int(item['secret-key'])",
    ]) {
      expect(JSON.stringify(parsed(source).evaluate(secret))).not.toContain('"secret"');
    }
  });

  it("finds a view's own key, even if prototypes have a property of that name.", () => {
    const own = JSON.parse('{"item":{"__proto__":1,"constructor":2}}');
    expect(parsed("item.constructor + item.__proto__").evaluate(own)).toEqual({
      ok: true,
      value: 3,
    });
  });

  it("returns nothing of the view itself.", () => {
    const { value: copy } = parsed("item.list").evaluate(view) as { value: unknown };
    expect(copy).toEqual(view.item.list);
    expect(copy).not.toBe(view.item.list);
  });
});

describe("The budget", () => {
  const numbers = Array.from({ length: 2_000 }, (_, at) => at);
  const big = {
    item: { list: numbers, text: "a".repeat(500_000), map: Object.fromEntries(numbers.entries()) },
  };
  const doubled = (levels: number, by: string): string =>
    levels === 0 ? by : `[${doubled(levels - 1, by)}].map(x${levels}, x${levels} + x${levels})[0]`;

  it.each([
    ["loops over loops", "item.list.map(a, item.list.map(b, item.list.map(c, a + b + c)))"],
    ["loops over keys", "item.list.all(a, item.map.exists(k, true))"],
    ["a text that doubles", `[item.text].map(a, [a + a].map(b, [b + b].map(c, c + c)))`],
    ["a list that doubles", doubled(16, "item.list")],
    ["one text given back often", "item.list.map(x, item.text)"],
    ["lists compared again and again", "item.list.map(x, item.list == item.list)"],
    ["texts compared again and again", "item.list.map(x, item.text + 'a' == item.text + 'b')"],
    ["texts ordered again and again", "item.list.map(x, item.text < item.text + 'a')"],
    [
      "a search that always nearly matches",
      `item.list.all(x, !item.text.contains('${"a".repeat(240)}b'))`,
    ],
    ["beginnings compared again and again", "item.list.all(x, item.text.startsWith(item.text))"],
    ["a text in many parts", "item.text.split('a')"],
    ["a text that grows by being replaced", "item.text.replace('a', item.text)"],
    ["characters counted again and again", "item.list.all(x, item.text.size() > 0)"],
    ["a pattern on a long text", "item.list.all(x, !item.text.matches('^(a+)+$b'))"],
    ["a pattern of a large class", "item.list.all(x, !item.text.matches('[\\\\p{L}]{1,500}$'))"],
    [
      "a pattern that is computed",
      "item.list.all(x, !item.text.matches('(a|b' + string(x) + ')*c'))",
    ],
  ])("ends %s.", (_, source) => {
    const evaluation = parsed(source).evaluate(big);
    expect(evaluation).toEqual({
      ok: false,
      message: expect.stringMatching(/^it (takes more than 20,000 steps|produces more than 1 MiB)/),
    });
  });

  it("is not absorbed by a decisive side, nor by a loop that would continue.", () => {
    const endless = "item.list.all(a, item.list.all(b, true))";
    for (const source of [`${endless} || true`, `item.list.exists(x, ${endless} || true)`]) {
      expect(parsed(source).evaluate(big)).toMatchObject({
        ok: false,
        message: expect.stringContaining("steps"),
      });
    }
    const longText = "item.text + item.text == ''";
    const view = { item: { text: "a".repeat(600_000) } };
    expect(parsed(`${longText} || true`).evaluate(view).ok).toBe(false);
  });

  it("counts the items of lists that are joined.", () => {
    const view = { item: { list: Array(9_000).fill(0) } };
    expect(parsed("size(item.list + item.list + item.list)").evaluate(view).ok).toBe(false);
    expect(parsed("size(item.list + item.list)").evaluate(view)).toEqual({
      ok: true,
      value: 18_000,
    });
  });

  it("can be shared by several evaluations.", () => {
    const budget = createBudget();
    const once = parsed("item.list.all(x, x >= 0)");
    const results = [1, 2, 3, 4, 5].map(() => once.evaluate(big, budget).ok);
    expect(results).toEqual([true, true, true, false, false]);
  });
});
