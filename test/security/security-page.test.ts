import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

const files = new Set([...page.matchAll(/`([^`\s]+\/[^`\s]+\.ts)`/g)].map(([, file = ""]) => file));

it.each([...files])("SECURITY.md names a file that exists: %s", (file) => {
  expect(existsSync(join(ROOT, file))).toBe(true);
});

/** Lines such as: - `test/hostile/calls.test.ts` · “is not answered by a second call” */
const titles = [...page.matchAll(/^- `([^`]+)` · “([^”]+)”$/gm)].map(
  ([, file = "", title = ""]) => ({ file, title }),
);

it.each(titles)("SECURITY.md names a test that exists: $file, $title", ({ file, title }) => {
  const text = readFileSync(join(ROOT, file), "utf8");
  const isThere = ['"', "'", "`"].some((quote) => text.includes(`${quote}${title}${quote}`));
  expect(isThere, `${file} has no test with this title`).toBe(true);
});
