// Writes the API reference to docs/api. With `--check`: fails where the pages there are not what the code makes of them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePages } from "./make-pages.ts";

const pages = join(import.meta.dirname, "../../docs/api");

if (process.argv.includes("--check")) {
  const made = mkdtempSync(join(tmpdir(), "api-reference-"));
  const stale = (await makePages(made)) ? differing(made, pages) : undefined;
  rmSync(made, { recursive: true });
  if (stale === undefined || stale.length > 0) process.exitCode = 1;
  for (const page of stale ?? []) console.log(`docs/api/${page} is stale: npm run docs:api`);
} else {
  if (!(await makePages(pages))) process.exitCode = 1;
}

/** The names of the files that are not the same in both folders. */
function differing(...folders: readonly string[]): string[] {
  const names = new Set(
    folders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])),
  );
  return [...names].filter((name) => {
    const [one, other] = folders.map((folder) => textOf(join(folder, name)));
    return one !== other;
  });
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8").replaceAll("\r\n", "\n") : undefined;
}
