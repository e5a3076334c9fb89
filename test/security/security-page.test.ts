import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

/** A line such as: - `test/hostile/calls.test.ts` · “is not answered by a second call” */
const NAMED = /^- `([^`]+)` · “([^”]+)”$/gm;

interface NamedTest {
  readonly file: string;
  readonly title: string;
}

function testsIn(text: string): NamedTest[] {
  return [...text.matchAll(NAMED)].map(([, file = "", title = ""]) => ({ file, title }));
}

const threats = page
  .split(/^(?=#{2,3} )/m)
  .filter((section) => section.startsWith("### "))
  .map((section) => ({ name: section.slice(4, section.indexOf("\n")), section }));

describe("SECURITY.md", () => {
  it("counts its threats without a gap, from T1 to T29 at least.", () => {
    const numbers = threats.map(({ name }) => name.split(" ")[0]);
    expect(numbers).toEqual(numbers.map((_, at) => `T${at + 1}`));
    expect(numbers.length).toBeGreaterThanOrEqual(29);
  });

  it.each(threats)("names a test ($name).", ({ section }) => {
    expect(testsIn(section)).not.toEqual([]);
  });

  it("writes every line that begins with a file in the form that is checked.", () => {
    const lines = page.match(/^- `[^`]+\.ts`.*$/gm) ?? [];
    expect(lines).toHaveLength(testsIn(page).length);
  });

  it.each(testsIn(page))("names a test that exists: $file, $title", ({ file, title }) => {
    const path = join(ROOT, file);
    expect(existsSync(path)).toBe(true);
    const text = readFileSync(path, "utf8");
    const isThere = ['"', "'", "`"].some((quote) => text.includes(`${quote}${title}${quote}`));
    expect(isThere, `${file} has no test with this title`).toBe(true);
  });

  it("is linked from the pages where people look for it.", () => {
    for (const file of ["README.md", "CONTRIBUTING.md", "packages/core/README.md"]) {
      expect(readFileSync(join(ROOT, file), "utf8")).toMatch(/\]\([./]*SECURITY\.md/);
    }
  });
});
