import { expect, test } from "vitest";
import { cutTurn } from "./cut-turn.ts";

const SAID = "Is there a flight from Lisbon to the sea?";
const nearest = { tool: "nearest", arguments: { city: "Lisbon" }, result: { code: "XQZ" } };
const cut = (args: object, reads: Parameters<typeof cutTurn>[1]["reads"] = ["part"]) => {
  const calls = [nearest, { tool: "cost", arguments: { ...args }, result: {} }];
  return cutTurn({ user: SAID, calls }, { said: SAID, before: "", reads });
};

test("A value that an earlier step answers becomes a reference in the same pipe.", () => {
  const { pipes, origins } = cut({ from: "XQZ" });
  expect(origins).toEqual(["user", "result"]);
  expect(pipes.map((steps) => steps.map(({ args }) => args))).toEqual([
    [{ city: "Lisbon" }, { from: { $ref: "steps.s0.structured.code" } }],
  ]);
});

test("A value that is only a part of a result begins a new pipe, as a model has to read it.", () => {
  const { pipes, origins } = cut({ from: "XQ" });
  expect([pipes.length, origins.at(-1)]).toEqual([2, "part"]);
});

test("A value that a model makes up begins a new pipe if it may have made it from a result.", () => {
  expect(cut({ seats: 3 }).pipes).toHaveLength(1);
  expect(cut({ seats: 3 }, ["part", "model"]).pipes).toHaveLength(2);
});
