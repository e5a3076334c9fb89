// How many lines one reads to understand a feature from end to end: npm run reading. With `--files`: where they stand.
import { FEATURES } from "./features.ts";
import { beyond, countOf, type LinesRun, linesRun } from "./lines-run.ts";
import { PEERS } from "./peers.ts";

const isDetailed = process.argv.includes("--files");
const runs = new Map<string, LinesRun>();
console.log("lines  files");
for (const { name, after = [], prepare } of FEATURES) {
  const run = await linesRun(await prepare(), (url) => /\/packages\/[a-z-]+\/src\//.test(url));
  runs.set(name, run);
  const known = after.map((other) => runs.get(other) ?? new Map());
  report(name, beyond(run, known));
}
console.log("\nOthers, for one call of a tool:");
for (const { name, files, prepare } of PEERS) {
  report(name, await linesRun(await prepare(), (url) => url.includes(files)));
}

function report(name: string, read: LinesRun) {
  const { lines, files } = countOf(read);
  console.log(`${`${lines}`.padStart(5)}${`${files}`.padStart(7)}  ${name}`);
  if (!isDetailed) return;
  for (const [url, { size }] of [...read].sort(([, one], [, other]) => other.size - one.size)) {
    console.log(`${`${size}`.padStart(18)}  ${url.replace(/.*\/(packages|node_modules)\//, "")}`);
  }
}
