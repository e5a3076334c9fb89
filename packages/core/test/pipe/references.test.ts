import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReference } from "../../src/pipe/spec/references.ts";
import { readReference } from "../../src/pipe/variables/variables.ts";

function path(text: string): readonly string[] {
  const parsed = parseReference(text);
  if (typeof parsed === "string") throw new Error(parsed);
  return parsed;
}

const variables = { vars: { list: ["a", { b: null }], "2024": 7, length: 3 }, steps: {} };

describe("a reference", () => {
  it("It reads members of objects and items of lists.", () => {
    expect(readReference(variables, path("vars.list.1.b"))).toEqual({ found: true, value: null });
    expect(readReference(variables, path(" vars.list.0 "))).toEqual({ found: true, value: "a" });
  });

  it("Numbers are keys if there is an object.", () => {
    expect(readReference(variables, path("vars.2024"))).toEqual({ found: true, value: 7 });
  });

  it.each(["vars.list.length", "vars.list.-1", "vars.list.01", "vars.list.1.0", "vars.list.2"])(
    "It does not find %s.",
    (text) => {
      expect(readReference(variables, path(text)).found).toBe(false);
    },
  );

  it.each(["vars.toString", "vars.list.map", "vars.hasOwnProperty", "vars.list.0.length"])(
    "It never reads what is inherited or belongs to a text: %s.",
    (text) => {
      expect(readReference(variables, path(text)).found).toBe(false);
    },
  );

  it("It never reads class instances, getters of a prototype, or functions.", () => {
    class Secret {
      key = 1;
    }
    expect(readReference({ vars: { a: new Secret() }, steps: {} }, path("vars.a.key")).found).toBe(
      false,
    );
    expect(readReference({ vars: { a: new Map() }, steps: {} }, path("vars.a.size")).found).toBe(
      false,
    );
  });

  it("A miss says how far the path goes and what is there.", () => {
    expect(readReference(variables, path("vars.lists.0"))).toEqual({
      found: false,
      message: '"vars" has no "lists"; it has 2024, list, length',
    });
    expect(readReference(variables, path("vars.list.9"))).toMatchObject({
      message: '"vars.list" has no "9"; it is a list of 2, counted from 0',
    });
  });

  it.each([
    ["", "must begin with vars, steps or last"],
    ["secrets.key", "must begin with vars, steps or last"],
    ["vars[0]", "must begin with vars, steps or last"],
    ["vars..a", "has an empty part"],
    ["steps.a.", "has an empty part"],
    ["vars.__proto__.x", "contains __proto__"],
    ["steps.a.constructor.name", "contains constructor"],
    ["steps.a.prototype", "contains prototype"],
  ])("The path %j is refused.", (text, reason) => {
    expect(parseReference(text)).toContain(reason);
  });

  it("It finds exactly the own values of any JSON.", () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !/[.\s]/.test(text));
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(null, 1, "text", true),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, fc.array(key, { maxLength: 4 }), (value, keys) => {
        const parsed = parseReference(["vars.v", ...keys].join("."));
        if (typeof parsed === "string") return;
        const root = { vars: { v: value }, steps: {} };
        let expected: unknown = root;
        let exists = true;
        for (const part of parsed) {
          exists &&= typeof expected === "object" && expected !== null;
          exists &&= Object.keys(expected as object).includes(part);
          expected = exists ? (expected as Record<string, unknown>)[part] : undefined;
        }
        const reading = readReference(root, parsed);
        expect(reading.found).toBe(exists);
        if (reading.found) expect(reading.value).toBe(expected);
      }),
    );
  });
});
