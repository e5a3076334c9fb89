// What the page for coding agents says by itself.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXPORTS } from "../architecture/exports.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/llms.txt"), "utf8");
const errors = readFileSync(join(ROOT, "packages/core/src/errors.ts"), "utf8");

const rowsOf = (part: string) =>
  [...part.matchAll(/^\| `([^`]+)` +\| (.*?) +\|$/gm)].map(([, first = "", rest = ""]) => {
    return { first, names: [...rest.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name) };
  });
const sectionOf = (title: string) =>
  page.split(/^## /m).find((part) => part.startsWith(title)) ?? "";

it.each(rowsOf(sectionOf("Install")))(
  "llms.txt names exports of $first alone.",
  ({ first, names }) => {
    expect(EXPORTS[first]).toEqual(expect.arrayContaining(names));
  },
);

it("llms.txt shows ten calls, each with its code.", () => {
  const calls = sectionOf("The ten most needed calls").split(/^### /m).slice(1);
  expect(calls).toHaveLength(10);
  for (const call of calls) expect(call).toContain("```ts\n");
});

it("llms.txt names codes of errors that exist.", () => {
  const codes = rowsOf(sectionOf("Errors")).map(({ first }) => first);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(errors).toContain(`"${code}"`);
});
