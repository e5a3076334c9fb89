import { describe, expect, it } from "vitest";
import { carryPage } from "../src/carry/carry-page.ts";
import { FRAMEWORKS } from "../src/carry/frameworks.ts";

describe.each(Object.keys(FRAMEWORKS))("a page of 100 KB through three tools on %s", (name) => {
  const length = 100_000;

  it("costs at most 3,000 tokens by reference, and arrives whole.", async () => {
    const carried = await carryPage(name, { way: "by reference", length });
    expect(carried).toMatchObject({ modelCalls: 4, isWhole: true });
    expect(carried.tokens).toBeLessThan(3_000);
  });

  it("costs more than 50 times as much if the model relays it.", async () => {
    const relayed = await carryPage(name, { way: "relayed", length });
    const { tokens } = await carryPage(name, { way: "by reference", length });
    expect(relayed.isWhole).toBe(true);
    expect(relayed.tokens).toBeGreaterThan(50 * tokens);
  });

  it("asks the model twice as a pipe, and arrives whole.", async () => {
    const carried = await carryPage(name, { way: "piped", length });
    expect(carried).toMatchObject({ modelCalls: 2, isWhole: true });
  });
});
