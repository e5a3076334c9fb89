// Before a package is packed: puts the pages that it ships into its folder. With `--restore`, afterwards: takes them away.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { repositoryOf, shippedPages } from "./shipped-pages.ts";

const folder = process.cwd();
const readme = join(folder, "README.md");
/** The file that keeps the README of the repository. It is not beside it, since npm packs every file called README. */
const kept = join(folder, "node_modules/.readme-of-the-repository.md");

// This also restores the README if an earlier run was stopped before it could.
if (existsSync(kept)) renameSync(kept, readme);
const pages = shippedPages(basename(folder), repositoryOf(folder));
for (const { path } of pages) {
  if (path !== "README.md") rmSync(join(folder, path), { force: true });
}

if (!process.argv.includes("--restore")) {
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(readme, kept);
  for (const { path, text } of pages) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
