import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveTemplate } from "../../src/pipe/resolve-template.ts";
import { compileTemplate } from "../../src/pipe/template.ts";

function resolve(value: unknown, vars: object, maxBytes = 10_000): unknown {
  const problems: string[] = [];
  const sink = {
    problem: (_path: string, message: string) => problems.push(message),
    reference: () => {},
  };
  const template = compileTemplate(value, "args", sink);
  if (problems.length > 0) throw new Error(problems.join());
  return resolveTemplate(template, { vars, steps: {} }, maxBytes);
}

describe("a template", () => {
  it("keeps the type of a reference that is the sole key", () => {
    expect(resolve({ a: { $ref: "vars.n" } }, { n: [1] })).toEqual({ a: [1] });
    expect(resolve({ $ref: "vars" }, { n: 1 })).toEqual({ n: 1 });
  });

  it("takes $ref beside other keys as data", () => {
    const data = { $ref: "vars.n", note: "x" };
    expect(resolve(data, { n: 1 })).toEqual(data);
  });

  it("writes values into texts: null as nothing, objects as JSON", () => {
    const vars = { s: "a", n: 1.5, t: true, z: null, o: { k: ["v"] } };
    expect(resolve(`\${vars.s}|\${vars.n}|\${vars.t}|\${vars.z}|\${ vars.o }`, vars)).toBe(
      'a|1.5|true||{"k":["v"]}',
    );
  });

  it("leaves an empty reference and lone signs as they are", () => {
    expect(resolve(`$5 \${} \${vars.s} $} {}`, { s: "ok" })).toBe(`$5 \${} ok $} {}`);
  });

  it("never reads what it has inserted", () => {
    const vars = { s: `\${vars.secret}`, o: { $ref: "vars.secret" }, secret: "hush" };
    expect(resolve([`<\${vars.s}>`, { $ref: "vars.s" }, { $ref: "vars.o" }], vars)).toEqual([
      `<\${vars.secret}>`,
      `\${vars.secret}`,
      { $ref: "vars.secret" },
    ]);
  });

  it.each([`\${vars.s`, `a \${`, { $ref: 5 }, { $ref: "" }, `\${HOME}`])("refuses %j", (value) => {
    expect(() => resolve(value, { s: 1 })).toThrow();
  });

  it("measures a text before it is built", () => {
    const page = "x".repeat(1_000);
    const text = `\${vars.page}`.repeat(100);
    expect(() => resolve(text, { page })).toThrow(/larger than 10000 bytes/);
    expect(() => resolve(text, { page: { page } })).toThrow(/larger than 10000 bytes/);
    expect(resolve([`\${vars.page}`], { page })).toEqual([page]);
  });

  it("leaves every JSON value without signs as it is", () => {
    const plain = fc.jsonValue().filter((value) => !/\$|__proto__/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => {
        expect(resolve(value, {})).toEqual(value);
      }),
    );
  });

  it("inserts any text unchanged", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, inserted) => {
        const around = before.replaceAll("$", "");
        expect(resolve(`${around}\${vars.s}`, { s: inserted })).toBe(around + inserted);
      }),
    );
  });
});
