import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPattern, toToolTest } from "../../src/call/tool.ts";
import type { Tool } from "../../src/index.ts";

function tool(server: string, name: string): Tool {
  return {
    server,
    name,
    id: `${server}.${name}`,
    modelName: name,
    inputSchema: { type: "object" },
    forModel: true,
  };
}

const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "(", "+"), maxLength: 8 });

describe("toPattern", () => {
  it.each([
    ["bank.*", "bank.pay", true],
    ["bank.*", "banks.pay", false],
    ["*.pay", "bank.pay", true],
    ["*", "bank.pay", true],
    ["bank.p*y", "bank.pay", true],
    ["bank.pa*ay", "bank.pay", false],
    ["bank.pay", "bank.pay", true],
    ["bank.pay", "bank.payout", false],
    ["bank.p.y", "bank.pay", false],
    ["BANK.pay", "bank.pay", false],
  ])("%s matches %s: %s", (pattern, id, expected) => {
    const [server = "", name = ""] = id.split(".");
    expect(toPattern(pattern, "allow")({ server, name })).toBe(expected);
  });

  it("agrees with the regular expression that a pattern stands for, or with the bare name", () => {
    const pattern = fc.array(text, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("*"));
    fc.assert(
      fc.property(pattern, text, text, (pattern, server, name) => {
        fc.pre(pattern !== "");
        const source = pattern.replace(/[.(+]/g, "\\$&").replaceAll("*", ".*");
        const isWhole = /[.*]/.test(pattern); // A bare name means the tool of any server.
        const expected = isWhole
          ? new RegExp(`^${source}$`, "s").test(`${server}.${name}`)
          : name === pattern;
        expect(toPattern(pattern, "allow")({ server, name })).toBe(expected);
      }),
    );
  });

  it.each([[""], [1], [null], [["bank.*"]]])("refuses %o", (pattern) => {
    expect(() => toPattern(pattern, "allow")).toThrow(/allow contains .*; write patterns/);
  });
});

describe("toToolTest", () => {
  it("allows what one of the patterns matches", () => {
    const test = toToolTest(["bank.*", "docs.search"], "allow");
    expect(test(tool("bank", "pay"))).toBe(true);
    expect(test(tool("docs", "search"))).toBe(true);
    expect(test(tool("docs", "delete"))).toBe(false);
  });

  it("allows nothing by an empty list", () => {
    expect(toToolTest([], "allow")(tool("bank", "pay"))).toBe(false);
  });

  it("treats true alone as a yes, so that a promise of an answer allows nothing", () => {
    const filter = (() => Promise.resolve(false)) as unknown as () => boolean;
    expect(toToolTest(filter, "allow")(tool("bank", "pay"))).toBe(false);
    expect(toToolTest(() => true, "allow")(tool("bank", "pay"))).toBe(true);
  });

  it.each([[null], ["bank.*"], [{}], [true]])("refuses %o", (filter) => {
    const given = filter as unknown as string[];
    expect(() => toToolTest(given, "allow")).toThrow(/allow must be a list/);
  });
});
