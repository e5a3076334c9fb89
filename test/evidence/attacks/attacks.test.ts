import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measure } from "./measure.ts";

const PAGE = new URL("../../../docs/evidence.md", import.meta.url);

/** The rows of all tables of a page, without the blanks that line up their columns. */
function rowsOf(page: string): string[] {
  return page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .replace(/ *\| */g, " | ")
        .trim()
        .replace(/-+/g, "---"),
    );
}

test("The tables of the attacks that know the policy are what docs/evidence.md says.", async () => {
  const { attacks, honest } = await measure();
  const rows = rowsOf(readFileSync(PAGE, "utf8"));
  expect(rows).toEqual(expect.arrayContaining(rowsOf([...attacks, ...honest].join("\n"))));
});
