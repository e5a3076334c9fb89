import { describe, expect, it } from "vitest";
import { compare, orderOf } from "./compare.ts";
import { ratioOf, spreadOf } from "./spread.ts";

describe("the spread of what was measured", () => {
  it("has the median, and the bounds of a tenth below and above.", () => {
    const values = Array.from({ length: 101 }, (_, at) => 100 - at);
    expect(spreadOf(values)).toEqual({ median: 50, low: 10, high: 90 });
  });

  it("lies between two values where no value stands at its place.", () => {
    expect(spreadOf([1, 2])).toEqual({ median: 1.5, low: 1.1, high: 1.9 });
  });

  it("pairs both runs round by round, so that a busy moment of the machine cancels out.", () => {
    const calm = { ours: [11, 12, 11], theirs: [10, 10, 10] };
    const busy = { ours: [11, 120, 11], theirs: [10, 100, 10] };
    expect(ratioOf(busy.ours, busy.theirs)).toEqual(ratioOf(calm.ours, calm.theirs));
  });

  it("is refused for runs of different rounds.", () => {
    expect(() => ratioOf([1, 2], [1])).toThrow("same rounds");
  });
});

describe("runs by turns", () => {
  it("stand at each place of the order, and before and after each other.", () => {
    const orders = [0, 1, 2, 3, 4, 5].map((round) => orderOf(["a", "b", "c"], round).join(""));
    expect(orders).toEqual(["abc", "cba", "bca", "acb", "cab", "bac"]);
  });

  it("are measured in as many rounds each, however long one takes.", async () => {
    const calls = { quick: 0, slow: 0 };
    const timed = await compare(
      {
        quick: () => calls.quick++,
        slow: () => new Promise((done) => setTimeout(done, 5, calls.slow++)),
      },
      { forMs: 20 },
    );
    expect(timed.quick.length).toBeGreaterThanOrEqual(5);
    expect(timed.slow).toHaveLength(timed.quick.length);
    expect(calls.quick).toBeGreaterThan(calls.slow);
  });
});
