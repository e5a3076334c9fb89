import { describe, expect, it } from "vitest";
import { remeasure } from "./remeasure.ts";
import type { Row } from "./row.ts";

const PLACE = { group: "calls", at: "echo", who: "host", unit: "x", high: 9, budget: 2 } as const;

/** Measures these figures one after the other, and tells how often it did. */
async function measureAll(figures: readonly Pick<Row, "value" | "low">[]) {
  let times = 0;
  const rows = await remeasure(async () => [{ ...PLACE, ...figures[times++] } as Row]);
  return { times, value: rows[0]?.value };
}

describe("a place", () => {
  it("is measured once if its figures are within their budgets.", async () => {
    expect(await measureAll([{ value: 2, low: 1 }])).toEqual({ times: 1, value: 2 });
  });

  it("is measured again while its figure is over its budget and some rounds are not, and the lowest counts.", async () => {
    const figures = [2.5, 1.9, 1].map((value) => ({ value, low: 1 }));
    expect(await measureAll(figures)).toEqual({ times: 2, value: 1.9 });
  });

  it("is measured three times at most.", async () => {
    const figures = [2.5, 2.3, 2.4, 1].map((value) => ({ value, low: 1 }));
    expect(await measureAll(figures)).toEqual({ times: 3, value: 2.3 });
  });

  it("is measured once if no round keeps the budget, or if it was counted and not timed.", async () => {
    expect(await measureAll([{ value: 3, low: 2.1 }])).toEqual({ times: 1, value: 3 });
    expect(await measureAll([{ value: 3 }])).toEqual({ times: 1, value: 3 });
  });
});
