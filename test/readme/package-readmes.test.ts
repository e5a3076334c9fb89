import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PACKAGES, readSources } from "../architecture/read-sources.ts";

/** What fits on a screen. Longer texts are pages in docs. */
const SCREEN = 60;

it.each(PACKAGES)("The README of %s fits on a screen, and says how to install it.", (name) => {
  const text = readFileSync(join(import.meta.dirname, `../../packages/${name}/README.md`), "utf8");
  expect(text.split("\n").length).toBeLessThanOrEqual(SCREEN);
  expect(text.startsWith(`# @toolrail/${name}\n`)).toBe(true);
  if (name !== "conformance") expect(text).toMatch(/npm install .*@toolrail/);
});

const sources = [...readSources()];

/** The names of options that stand in the tables of a page. */
const optionsIn = (text: string) =>
  [...text.matchAll(/^\| option.*\n(?:\|.*\n)*/gm)].flatMap(([table]) =>
    [...table.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
    ),
  );

it.each(PACKAGES)("The tables of %s name options that exist.", (name) => {
  const readme = readFileSync(
    join(import.meta.dirname, `../../packages/${name}/README.md`),
    "utf8",
  );
  const code = sources
    .filter(
      ([file]) => /packages\/(core|pipe)\//.test(file) || file.startsWith(`packages/${name}/`),
    )
    .map(([, { text }]) => text)
    .join("\n");
  const unknown = optionsIn(readme).filter((option) => {
    return !new RegExp(`readonly ${option}\\??:`).test(code);
  });
  expect(unknown).toEqual([]);
});
