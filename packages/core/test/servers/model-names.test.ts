import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignModelNames } from "../../src/servers/model-names.ts";

function namesOf(...ids: [server: string, name: string][]): string[] {
  const tools = ids.map(([server, name]) => ({ server, name }));
  const names = assignModelNames(tools);
  return tools.map((tool) => names.get(tool) ?? "");
}

const server = fc.string({ minLength: 1, maxLength: 12 });
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom("a", "b_c", "a_b", "a.b", "a-b", "A"),
  fc.string({ unit: "grapheme", minLength: 60, maxLength: 130 }),
);
const toolLists = fc.uniqueArray(fc.record({ server, name }), {
  maxLength: 40,
  selector: (tool) => JSON.stringify([tool.server, tool.name]),
});

describe("assignModelNames", () => {
  it("keeps a legal name that only one server has", () => {
    expect(namesOf(["bank", "get_balance"], ["docs", "search"])).toEqual(["get_balance", "search"]);
  });

  it("puts the server in front where two have the name", () => {
    expect(namesOf(["bank", "search"], ["docs", "search"])).toEqual(["bank_search", "docs_search"]);
  });

  it("tells a + b_c from a_b + c, and a.b from a_b", () => {
    expect(new Set(namesOf(["a", "b_c"], ["a_b", "c"], ["x", "b_c"], ["y", "c"])).size).toBe(4);
    expect(new Set(namesOf(["s", "a.b"], ["s", "a_b"], ["s", "a b"])).size).toBe(3);
  });

  it("tells long names apart that differ at their end", () => {
    const long = "n".repeat(127);
    expect(new Set(namesOf(["s", `${long}1`], ["s", `${long}2`])).size).toBe(2);
  });

  it("gives different tools different names, all legal", () => {
    fc.assert(
      fc.property(toolLists, (tools) => {
        const names = [...assignModelNames(tools).values()];
        expect(new Set(names).size).toBe(tools.length);
        for (const given of names) expect(given).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });

  it("gives the same names in whatever order the tools are listed", () => {
    fc.assert(
      fc.property(toolLists, (tools) => {
        const toText = (list: typeof tools) =>
          [...assignModelNames(list)].map(([tool, given]) => JSON.stringify([tool, given])).sort();
        expect(toText([...tools].reverse())).toEqual(toText(tools));
      }),
    );
  });
});
