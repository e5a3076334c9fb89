import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/json.ts";
import { resolveValue } from "../../src/pipe/variables/variables.ts";

function resolve(value: unknown, vars: JsonObject): unknown {
  return resolveValue(value, { variables: { vars, steps: {}, keptBytes: 0 }, maxBytes: 10_000 });
}

describe("a value of a spec", () => {
  it("A reference that is the sole key keeps its type.", () => {
    expect(resolve({ a: { $ref: "vars.n" } }, { n: [1] })).toEqual({ a: [1] });
    expect(resolve({ $ref: "vars" }, { n: 1 })).toEqual({ n: 1 });
  });

  it("A $ref beside other keys is data.", () => {
    const data = { $ref: "vars.n", note: "x" };
    expect(resolve(data, { n: 1 })).toEqual(data);
  });

  it("Values are written into texts: null as nothing, objects as JSON.", () => {
    const vars = { s: "a", n: 1.5, t: true, z: null, o: { k: ["v"] } };
    expect(resolve(`\${vars.s}|\${vars.n}|\${vars.t}|\${vars.z}|\${ vars.o }`, vars)).toBe(
      'a|1.5|true||{"k":["v"]}',
    );
  });

  it("An empty reference and lone signs stay as they are.", () => {
    expect(resolve(`$5 \${} \${vars.s} $} {}`, { s: "ok" })).toBe(`$5 \${} ok $} {}`);
  });

  it("What was inserted is never read again.", () => {
    const vars = { s: `\${vars.secret}`, o: { $ref: "vars.secret" }, secret: "hush" };
    expect(resolve([`<\${vars.s}>`, { $ref: "vars.s" }, { $ref: "vars.o" }], vars)).toEqual([
      `<\${vars.secret}>`,
      `\${vars.secret}`,
      { $ref: "vars.secret" },
    ]);
  });

  it.each([`\${vars.s`, `a \${`, { $ref: 5 }, { $ref: "" }, `\${HOME}`])(
    "The value %j is refused.",
    (value) => {
      expect(() => resolve(value, { s: 1 })).toThrow(/must begin with|has no path/);
    },
  );

  it("A text is measured before it is built.", () => {
    const page = "x".repeat(1_000);
    const text = `\${vars.page}`.repeat(100);
    expect(() => resolve(text, { page })).toThrow(/larger than 10000 bytes/);
    expect(() => resolve(text, { page: { page } })).toThrow(/larger than 10000 bytes/);
    expect(resolve([`\${vars.page}`], { page })).toEqual([page]);
  });

  it("Every JSON value without signs stays as it is.", () => {
    const plain = fc.jsonValue().filter((value) => !/\$|__proto__/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => {
        expect(resolve(value, {})).toEqual(value);
      }),
    );
  });

  it("Any text is inserted unchanged.", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, inserted) => {
        const around = before.replaceAll("$", "");
        expect(resolve(`${around}\${vars.s}`, { s: inserted })).toBe(around + inserted);
      }),
    );
  });
});
