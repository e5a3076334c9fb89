import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMENT_RULES, commentsOf } from "./comment-rules.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDERS = [
  "packages/*/src/**/*.ts",
  "examples/*/*.mjs",
  "examples/*/{app,lib,server,src,web,workflows}/**/*.{ts,tsx}",
  "scripts/**/*.{ts,mjs}",
];
const SOURCES = globSync(FOLDERS, { cwd: ROOT }).map((file) => ({
  file,
  comments: commentsOf(readFileSync(join(ROOT, file), "utf8")),
}));

/** The comments that break a rule, as an editor opens them. */
function breaking(pattern: RegExp): string[] {
  return SOURCES.flatMap(({ file, comments }) =>
    comments
      .filter(({ text }) => pattern.test(text.replace(/`[^`]*`/g, "`x`")))
      .map(({ line, text }) => `${file}:${line} ${text}`),
  );
}

describe("The comments of the sources, examples and scripts", () => {
  it.each(COMMENT_RULES)("keep the rule: %s.", (_, pattern) => {
    expect(breaking(pattern)).toEqual([]);
  });

  it("are found, at the beginning of lines and at their ends.", () => {
    const source = "/** One. */\nconst a = 1; // Two.\nconst b = 2;\n// Three,\n// and more.\n";
    expect(commentsOf(source).map(({ text }) => text)).toEqual([
      "One.",
      "Two.",
      "Three, and more.",
    ]);
    expect(commentsOf("// One,\n// two.\n\nimport a;").map(({ text }) => text)).toEqual([
      "One, two.",
    ]);
    expect(SOURCES.flatMap(({ comments }) => comments).length).toBeGreaterThan(1_000);
  });
});
