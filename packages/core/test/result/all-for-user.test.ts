import { expect, it } from "vitest";
import { allForUser } from "../../src/adapter.ts";
import { modelView } from "../../src/index.ts";

const shown = modelView({
  content: [{ type: "text", text: "a", annotations: { audience: ["user"] } }],
});
const read = modelView({ content: [{ type: "text", text: "a" }] });

it("A run may end where each result was for the user alone.", () => {
  expect(allForUser([shown, shown])).toBe(true);
});

it("A run goes on where one result is for the model, says nothing of it, or where there is none.", () => {
  expect(allForUser([shown, read])).toBe(false);
  expect(allForUser([shown, {}])).toBe(false);
  expect(allForUser([])).toBe(false);
});
