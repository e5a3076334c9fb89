import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawCosts, readCosts } from "./draw-costs.ts";

it("The figure in the docs is drawn from the costs that are kept with the evidence.", () => {
  const figure = readFileSync(new URL("../../docs/costs.svg", import.meta.url), "utf8");
  expect(figure).toBe(drawCosts(readCosts()));
});
