import { describe, expect, it } from "vitest";
import { compare, orderOf } from "./compare.ts";
import { ratioOf } from "./spread.ts";

describe("the ratio of two runs", () => {
  it("is the median of the ratios, round by round, so that a busy machine changes little.", () => {
    const calm = Array.from({ length: 11 }, () => 10);
    const busy = calm.map((us, round) => (round % 3 === 0 ? us * round * 5 + us : us));
    expect(ratioOf(busy, calm).value).toBe(1);
    expect(
      ratioOf(
        busy.map((us) => us * 2),
        busy,
      ).value,
    ).toBe(2);
  });

  it("has the bounds of a tenth of the rounds below and above.", () => {
    const ones = Array.from({ length: 101 }, () => 1);
    const ours = ones.map((_, at) => 101 - at);
    expect(ratioOf(ours, ones)).toEqual({ value: 51, low: 11, high: 91 });
  });

  it("lies between two values if no value stands at its place.", () => {
    expect(ratioOf([1, 2], [1, 1])).toEqual({ value: 1.5, low: 1.1, high: 1.9 });
  });

  it("pairs both runs round by round, so that a busy moment of the machine cancels out.", () => {
    const calm = ratioOf([11, 12, 11], [10, 10, 10]);
    const busy = ratioOf([11, 120, 11], [10, 100, 10]);
    expect(busy).toEqual(calm);
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
