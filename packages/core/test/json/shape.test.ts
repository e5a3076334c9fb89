import { expect, it } from "vitest";
import { z } from "zod";
import { jsonObject, name, readShape, shapeProblems } from "../../src/json/shape.ts";

const CALL = z.strictObject({
  tool: name,
  args: jsonObject.optional(),
  kind: z.enum(["a", "b"]).optional(),
  steps: z.array(z.strictObject({ id: z.string(), isLast: z.boolean().optional() })).optional(),
});

it.each([
  ["no object", [], "it must be an object"],
  ["a missing member", {}, "tool is missing"],
  ["an empty name", { tool: "" }, "tool must be a text that is not empty"],
  ["another type", { tool: 3 }, "tool must be a text"],
  ["a misspelt name", { tool: "a", arg: 1 }, 'it has the unknown key "arg". Did you mean "args"?'],
  ["a list for an object", { tool: "a", args: [] }, "args must be an object"],
  ["a text of none of its kinds", { tool: "a", kind: "c" }, 'kind must be "a" or "b"'],
  [
    "a member of an item",
    { tool: "a", steps: [{ id: "x", isLast: 1 }] },
    "steps[0].isLast must be true or false",
  ],
])("A value with %s is described by its place and what it must be.", (_, value, defect) => {
  expect(readShape(CALL, value)).toEqual({ defect });
});

it("A value of the right shape is returned, and all problems of another are found.", () => {
  const value = { tool: "a", args: { deep: [1] } };
  expect(readShape(CALL, value)).toEqual({ value });
  const places = shapeProblems(CALL, { steps: [{ id: 1 }, {}] }).map(({ path }) => path);
  expect(places).toEqual(["tool", "steps[0].id", "steps[1].id"]);
});
