import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PACKAGES } from "../architecture/read-sources.ts";

/** What fits on a screen. Longer texts are pages in docs. */
const SCREEN = 60;

it.each(PACKAGES)("The README of %s fits on a screen, and says how to install it.", (name) => {
  const text = readFileSync(join(import.meta.dirname, `../../packages/${name}/README.md`), "utf8");
  expect(text.split("\n").length).toBeLessThanOrEqual(SCREEN);
  expect(text.startsWith(`# @toolrail/${name}\n`)).toBe(true);
  if (name !== "conformance") expect(text).toMatch(/npm install .*@toolrail/);
});
