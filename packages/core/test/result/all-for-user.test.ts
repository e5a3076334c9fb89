import { expect, it } from "vitest";
import { allForUser } from "../../src/adapter.ts";
import { modelView } from "../../src/index.ts";

const shown = modelView({
  content: [{ type: "text", text: "a", annotations: { audience: ["user"] } }],
});
const read = modelView({ content: [{ type: "text", text: "a" }] });

it("A run may end if every result was for the user alone.", () => {
  expect(allForUser([shown, shown])).toBe(true);
});

it("A run continues if a result is for the model, if a result does not say who it is for, or if there is none.", () => {
  expect(allForUser([shown, read])).toBe(false);
  expect(allForUser([shown, {}])).toBe(false);
  expect(allForUser([])).toBe(false);
});
