import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCS, drawFigures, fillPage } from "./draw.ts";
import { linesOf } from "./figures/lines.ts";
import { linear, logarithmic, powersAround, stepsTo } from "./figures/scale.ts";
import { readResults } from "./results.ts";
import { toMarkdown } from "./table.ts";

const read = (name: string) => readFileSync(join(DOCS, name), "utf8");
const results = readResults();

describe("the figures of the docs", () => {
  it.each(Object.entries(drawFigures(results)))(
    "%s is drawn from the results that are kept.",
    (name, svg) => {
      expect(read(name)).toBe(svg);
    },
  );

  it("The table of the page is made from the results that are kept.", () => {
    const page = read("figures.md");
    expect(page).toContain(toMarkdown(results.rows));
    expect(fillPage(page, results)).toBe(page);
    expect(fillPage(page, { ...results, rows: [] })).not.toContain("10 to 90%");
  });

  it("The results that are kept are those of a full run.", () => {
    expect(results.quick).toBe(false);
  });
});

describe("lines", () => {
  const row = (who: string, value: number) =>
    ({ group: "g", at: "1", who, unit: "x", value }) as const;

  it("are one if several have the same values, under all their names.", () => {
    const lines = linesOf([row("a", 2), row("b", 3), row("c", 2)]);
    expect(lines.map(({ names }) => names)).toEqual([["a", "c"], ["b"]]);
  });
});

describe("a scale", () => {
  it("begins at the first tick and ends at the last, and puts what is outside at its ends.", () => {
    const { place } = linear({ ticks: [0, 1, 2], from: 10, to: 110 });
    expect([-1, 0, 1, 2, 9].map(place)).toEqual([10, 10, 60, 110, 110]);
  });

  it("gives each doubling the same room if it is logarithmic.", () => {
    const { place } = logarithmic({ ticks: [1, 2, 4], from: 0, to: 100 });
    expect([1, 2, 4].map(place)).toEqual([0, 50, 100]);
  });

  it("has ticks around all values.", () => {
    expect(powersAround([0.02, 3], 10)).toEqual(
      [0.01, 0.1, 1, 10].map((n) => expect.closeTo(n, 9)),
    );
    expect(powersAround([1, 1], 2)).toEqual([1, 2]);
    expect(stepsTo(1.4)).toEqual([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5]);
    expect(stepsTo(6)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
