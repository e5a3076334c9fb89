import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
const [, promised = ""] = /^## What is promised$(.*?)^## /ms.exec(page) ?? [];

/** The promises, each with what it begins with, and the tests that it names: `file` "title of a test in it". */
const promises = promised
  .split(/^- /m)
  .slice(1)
  .map((text) => ({
    promise: text
      .slice(0, text.indexOf("**", 2))
      .replaceAll(/\*\*|\s+/g, " ")
      .trim(),
    tests: [...text.matchAll(/`([^`\s]+\/[^`\s]+\.ts)`(?:\s+"([^"]+)")?/g)].map(
      ([, file = "", title]) => ({ file, title }),
    ),
  }));

it("SECURITY.md is read in an evening.", () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(12_288);
  expect(promises.length).toBeGreaterThan(30);
});

it.each(promises)("This promise names tests that exist: $promise", ({ tests }) => {
  expect(tests.length, "it names no test").toBeGreaterThan(0);
  for (const { file, title } of tests) {
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    if (title === undefined) continue;
    const text = readFileSync(join(ROOT, file), "utf8");
    const isThere = ['"', "'", "`"].some((quote) => text.includes(`${quote}${title}${quote}`));
    expect(isThere, `${file} has no test "${title}"`).toBe(true);
  }
});
