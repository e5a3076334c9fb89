import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { restoreClock } from "../../../packages/core/test/replace-clock.ts";
import { rowsOf } from "../rows-of.ts";
import { measure } from "./measure.ts";

const PAGE = new URL("../../../docs/figures.md", import.meta.url);

afterAll(restoreClock); // Each life has a clock of its own.

test("What a crash does to the calls of an order is what docs/figures.md says.", async () => {
  const rows = rowsOf(readFileSync(PAGE, "utf8"));
  expect(rows).toEqual(expect.arrayContaining(rowsOf((await measure()).join("\n"))));
});
