import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Row } from "./row.ts";

/** What one run has measured, and with which versions. */
export interface Results {
  readonly node: string;
  readonly platform: string;
  readonly cores: number;
  readonly quick: boolean;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** The figures of the docs: those of the last full run. */
export const KEPT = fileURLToPath(new URL("results.json", import.meta.url));

const MEASURED_WITH = [
  "@modelcontextprotocol/sdk",
  "@langchain/mcp-adapters",
  "@ai-sdk/mcp",
  "ai",
  "langchain",
  "@langchain/langgraph",
];

export function toResults(rows: readonly Row[], quick: boolean): Results {
  const versions = MEASURED_WITH.map((name) => [name, versionOf(name)] as const);
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    quick,
    versions: Object.fromEntries(versions),
    rows,
  };
}

/** Not every package lets its `package.json` be imported, so that it is looked for above its entry. */
function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  const paths = require.resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return JSON.parse(readFileSync(`${path}/${name}/package.json`, "utf8")).version;
    } catch {
      // The next folder above.
    }
  }
  throw new Error(`No package.json of ${name} was found.`);
}

export function readResults(path = KEPT): Results {
  return JSON.parse(readFileSync(path, "utf8"));
}

export function writeResults(path: string, results: Results): void {
  const rows = results.rows.map((row) => `    ${JSON.stringify(rounded(row))}`);
  const head = JSON.stringify({ ...results, rows: [] }, null, 2);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, head.replace(/\[\]\s*\}$/, `[\n${rows.join(",\n")}\n  ]\n}\n`));
}

function rounded(row: Row): Row {
  const short = (value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value;
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, short(value)]),
  ) as unknown as Row;
}
