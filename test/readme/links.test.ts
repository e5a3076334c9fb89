import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const pages = globSync(
  [
    ...["*.md", "docs/**/*.{md,txt}", "{packages,examples}/*/README.md"],
    ...["packages/*/*.md", "packages/*/src/**/*.md", "test/**/*.md"],
  ],
  { cwd: ROOT, exclude: ["**/node_modules"] },
);

/** The text of a page without its blocks of code. */
const proseOf = (path: string) =>
  readFileSync(join(ROOT, path), "utf8").replaceAll(/^ *```.*?^ *```/gms, "");

/** The address of a heading, as GitHub and npm make it. */
function anchorOf(heading: string): string {
  const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
}

/** The addresses in a page. Of headings that are the same, all but the first have a number. */
function anchorsOf(path: string): ReadonlySet<string> {
  const seen: Record<string, number> = {};
  const prose = proseOf(path);
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const anchor = anchorOf(heading.trim());
    const before = seen[anchor] ?? 0;
    seen[anchor] = before + 1;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set([
    ...headings,
    ...[...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
  ]);
}

/** The links of a page that lead nowhere. */
function deadLinksOf(page: string): string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => {
    if (/^(https?:|mailto:)/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path));
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchorsOf(target).has(anchor);
  });
}

it.each(pages)("Every link of %s leads to a file or a heading that exists.", (page) => {
  expect(deadLinksOf(page)).toEqual([]);
});
