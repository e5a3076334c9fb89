// How many lines one reads to understand a feature from end to end: npm run reading. With `--files`: where they stand.
import { FEATURES } from "./features.ts";
import { beyond, countOf, type LinesRun, linesRun } from "./lines-run.ts";
import { PEERS } from "./peers.ts";

const isDetailed = process.argv.includes("--files");
const runs = new Map<string, LinesRun>();
console.log("lines  most  files");
for (const { name, after = [], most, prepare } of FEATURES) {
  const run = await linesRun(await prepare(), (url) => /\/packages\/[a-z-]+\/src\//.test(url));
  runs.set(name, run);
  const known = after.map((other) => runs.get(other) ?? new Map());
  report(name, { read: beyond(run, known), most });
}
console.log("\nOthers, for one call of a tool:");
for (const { name, files, prepare } of PEERS) {
  report(name, { read: await linesRun(await prepare(), (url) => url.includes(files)) });
}

function report(name: string, { read, most }: { readonly read: LinesRun; readonly most?: number }) {
  const { lines, files } = countOf(read);
  const isOver = most !== undefined && lines > most;
  if (isOver) process.exitCode = 1;
  const figures = [lines, most ?? "", files].map((figure, at) => `${figure}`.padStart(5 + at));
  console.log(`${figures.join("")}  ${name}${isOver ? "  OVER" : ""}`);
  if (!isDetailed) return;
  for (const [url, { size }] of [...read].sort(([, one], [, other]) => other.size - one.size)) {
    console.log(`${`${size}`.padStart(24)}  ${url.replace(/.*\/(packages|node_modules)\//, "")}`);
  }
}
