import { describe, expect, it } from "vitest";
import { foldChains, type HistoryEntry } from "../../src/adapter.ts";

const hops = (roots: Record<string, string>) => ({ type: "hops", roots }) as const;
const result = (id: string, text = id) => ({ type: "result", id, result: text }) as const;

function fold(...entries: HistoryEntry<string>[]) {
  const { roots, chains } = foldChains(entries);
  return { roots: Object.fromEntries(roots), chains: Object.fromEntries(chains) };
}

describe("foldChains", () => {
  it("Results of hops stand with the result of the call that their chain began with.", () => {
    expect(
      fold(result("a"), hops({ h1: "a" }), result("h1"), hops({ h2: "a" }), result("h2")),
    ).toEqual({ roots: { h1: "a", h2: "a" }, chains: { a: ["a", "h1", "h2"] } });
  });

  it("Chains that run side by side are folded each into its own call.", () => {
    const both = [result("a"), result("b"), hops({ h1: "a", h2: "b" }), result("h2"), result("h1")];
    expect(fold(...both).chains).toEqual({ a: ["a", "h1"], b: ["b", "h2"] });
  });

  it("The latest result before the hop counts if a model repeats an id.", () => {
    const again = [result("a", "old"), result("a", "new"), hops({ h1: "a" }), result("h1")];
    expect(fold(...again).chains).toEqual({ new: ["new", "h1"] });
  });

  it("Hops that are made together stay if one of their first calls is gone.", () => {
    const half = [result("a"), hops({ h1: "a", h2: "gone" }), result("h1"), result("h2")];
    expect(fold(...half)).toEqual({ roots: {}, chains: {} });
  });

  it("A hop without a result is removed, and its first call has no chain.", () => {
    expect(fold(result("a"), hops({ h1: "a" }))).toEqual({ roots: { h1: "a" }, chains: {} });
  });

  it("A history without hops folds to nothing.", () => {
    expect(fold(result("a"), result("b"))).toEqual({ roots: {}, chains: {} });
    expect(fold()).toEqual({ roots: {}, chains: {} });
  });
});
