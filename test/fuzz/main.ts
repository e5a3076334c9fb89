// A fuzz of minutes: `npm run fuzz -- --minutes 10 --seed 7`. What it finds it prints with the way to see it again:
// `npm run fuzz -- --seed 7 --only 3 --path 12:0:4`.
import { inspect, parseArgs } from "node:util";
import { chainProperties } from "./chains/properties.ts";
import { pipeProperties } from "./pipes/properties.ts";
import { type FuzzProperty, runProperty, type Tally } from "./property.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
    path: { type: "string" },
  },
});
const { only, path } = values;
const seed = Number(values.seed);
const endMs = Date.now() + Number(values.minutes) * 60_000;
const tally: Tally = { differences: 0 };
const all = [...pipeProperties, ...chainProperties].map((property, number) => ({
  number,
  property,
}));

/** How many inputs a property gets before it is the next one's turn. */
const BATCH = 20;

console.log(`Seed ${seed}.`);
let open = all.filter(({ number }) => only === undefined || only === String(number));
for (const { number, property } of open) console.log(`${number}  ${property.name}`);
let nextLineMs = 0;
for (let round = 0; open.length > 0 && (round === 0 || Date.now() < endMs); round++) {
  const failed = new Set<FuzzProperty>();
  for (const { number, property } of open) {
    if (!(await runBatch(number, { property, seed: seed + round }))) failed.add(property);
  }
  open = open.filter(({ property }) => !failed.has(property));
  if (Date.now() > nextLineMs) {
    console.log(toLine(tally));
    nextLineMs = Date.now() + 10_000;
  }
  if (path !== undefined) break;
}
console.log(`Over. ${toLine(tally)}`);
process.exitCode = tally.differences === 0 ? 0 : 1;

/** True where all is well; else what was found is printed. */
async function runBatch(
  number: number,
  { property, seed: own }: { readonly property: FuzzProperty; readonly seed: number },
): Promise<boolean> {
  const again = path === undefined ? { numRuns: BATCH } : { path, endOnFailure: true };
  const run = await runProperty(property, { seed: own, tally, ...again });
  if (!run.failed) return true;
  tally.differences = (tally.differences ?? 0) + 1;
  const [input] = run.counterexample ?? [];
  console.log(`\nThis does not hold: ${property.name}`);
  console.log(inspect(input, { depth: 30, breakLength: 150, compact: 6 }));
  console.log(run.errorInstance);
  console.log(
    `Again: npm run fuzz -- --seed ${own} --only ${number} --path ${run.counterexamplePath}\n`,
  );
  return false;
}

function toLine(done: Tally): string {
  const minute = new Date().toISOString().slice(11, 19);
  const figures = Object.entries(done).map(([name, value]) => `${value} ${name}`);
  return `${minute}  ${figures.join(", ")}`;
}
