// npm run bench: what built code costs, measured side by side in one run, beside its budgets. It ends with 1 where one is
// missed. `--quick` measures for a shorter time and leaves the docs alone, as `--json FILE` does; `--only "over stdio"`
// measures the groups with these words in their names, and keeps nothing.
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeDocs, writeFigures } from "./draw.ts";
import { GROUPS } from "./groups/all.ts";
import { KEPT, readResults, toResults, writeResults } from "./results.ts";
import { isOver, missedBudgets, type Row } from "./row.ts";
import { toTable } from "./table.ts";

const { quick, json, only } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    only: { type: "string" },
  },
}).values;
const FULL_MS = 2_000;
const QUICK_MS = 300;

const startMs = performance.now();
const seconds = () => `${Math.round((performance.now() - startMs) / 1_000)} s`.padStart(6);
const groups = Object.entries(GROUPS).filter(([name]) => name.includes(only ?? ""));
const rows: Row[] = [];
for (const [at, [name, measure]] of groups.entries()) {
  console.error(`${seconds()}  ${at + 1} of ${groups.length}: ${name}`);
  rows.push(...(await measure({ forMs: quick ? QUICK_MS : FULL_MS })));
}
console.log(`\n${toTable(rows)}\n`);
console.error(`${seconds()}  done`);
if (only === undefined) keep(rows);
const missed = only === undefined ? missedBudgets(rows) : rows.filter(isOver);
if (missed.length > 0) process.exitCode = 1;
if (only === undefined) console.log(missed.join("\n") || "All budgets are kept.");

/** A full run is what the docs show; another keeps its figures elsewhere. */
function keep(measured: readonly Row[]): void {
  const elsewhere = json ?? (quick ? "node_modules/.cache/bench/results.json" : undefined);
  const path = resolve(elsewhere ?? KEPT);
  writeResults(path, toResults(measured, quick));
  const results = readResults(path); // As rounded as they are kept: what is drawn anew comes out the same.
  if (elsewhere === undefined) writeDocs(results);
  else writeFigures(dirname(path), results);
  console.log(`The figures are in ${path}, the plots in ${elsewhere ? dirname(path) : "docs"}.`);
}
