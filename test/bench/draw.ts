// Draws the figures of the docs, and their table, from what the last full run has measured: npm run bench:figure
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawCalls } from "./figures/calls.ts";
import { drawGrowth } from "./figures/growth.ts";
import { type Results, readResults } from "./results.ts";
import { toMarkdown } from "./table.ts";

export const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
const BETWEEN = /(?<=<!-- figures -->\n\n).*(?=\n\n<!-- \/figures -->)/s;

/** The pictures of a run, by the names of their files. */
export function drawFigures({ rows }: Results): Readonly<Record<string, string>> {
  return { "bench-calls.svg": drawCalls(rows), "bench-growth.svg": drawGrowth(rows) };
}

/** The page with these figures in the place of those before. */
export function fillPage(page: string, { rows }: Results): string {
  return page.replace(BETWEEN, () => toMarkdown(rows));
}

export function writeFigures(folder: string, results: Results): void {
  for (const [name, svg] of Object.entries(drawFigures(results))) {
    writeFileSync(join(folder, name), svg);
  }
}

export function writeDocs(results: Results): void {
  writeFigures(DOCS, results);
  const page = join(DOCS, "figures.md");
  writeFileSync(page, fillPage(readFileSync(page, "utf8"), results));
}

if (import.meta.main) writeDocs(readResults());
