import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowsOf } from "../rows-of.ts";
import { measure } from "./measure.ts";

const PAGE = new URL("../../../docs/evidence.md", import.meta.url);

test("The tables of the attacks that know the policy are what docs/evidence.md says.", async () => {
  const { attacks, honest } = await measure();
  const rows = rowsOf(readFileSync(PAGE, "utf8"));
  expect(rows).toEqual(expect.arrayContaining(rowsOf([...attacks, ...honest].join("\n"))));
});
