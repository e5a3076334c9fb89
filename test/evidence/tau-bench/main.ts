// τ-bench's own calls, replayed without a model in four ways:
//   npm run evidence:tau -- PATH-OF-A-CLONE [--json FILE]
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Decision, startOfflineModel } from "@toolrail/example-offline-model";
import { type Domain, openEnvironment } from "./open-environment.ts";
import { type Cost, record, replay, WAYS, type Way } from "./ways.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" }, first: { type: "string" } },
});
const [clone] = positionals;
if (clone === undefined) {
  throw new Error("Give the folder of a clone of sierra-research/tau-bench.");
}

let script: (read: number) => Decision = () => ({ text: "Done." });
const rule = ({ toolResultsSinceUser: { length } }: { toolResultsSinceUser: readonly unknown[] }) =>
  script(length);
const model = await startOfflineModel({ rules: [rule] });
const say = (next: typeof script) => {
  script = next;
};
const report: Record<string, object> = {};
for (const domain of ["retail", "airline"] as const) report[domain] = await measure(domain, clone);
await model.close();
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(report, null, 2));

async function measure(domain: Domain, path: string): Promise<object> {
  await using environment = await openEnvironment(path, domain);
  const tasks = environment.tasks.filter(({ calls }) => calls.length > 0);
  const sums = new Map<Way, Cost>();
  const chosen = tasks.slice(0, Number(values.first ?? tasks.length));
  for (const [index, task] of chosen.entries()) {
    if (process.stderr.isTTY) process.stderr.write(`\r${domain} ${index + 1}/${chosen.length} `);
    const truth = await record(environment, task);
    for (const way of WAYS) {
      const cost = await replay(way, truth, { environment, model, say });
      sums.set(way, add(sums.get(way), cost));
    }
  }
  const calls = chosen.reduce((sum, task) => sum + task.calls.length, 0);
  print(
    `\n${domain}: ${chosen.length} tasks, ${calls} calls; all data end as the benchmark's own calls leave them`,
  );
  print(`${"".padEnd(16)}model calls   tokens read   written   waits for the server`);
  for (const [way, { modelCalls, tokensRead, tokensWritten, rounds }] of sums) {
    const columns = [modelCalls, tokensRead, tokensWritten, rounds];
    const widths = [11, 14, 10, 12];
    print(
      `${way.padEnd(16)}${columns.map((n, at) => n.toLocaleString("en").padStart(widths[at] ?? 0)).join("")}`,
    );
  }
  return { tasks: chosen.length, calls, ...Object.fromEntries(sums) };
}

function add(sum: Cost | undefined, cost: Cost): Cost {
  if (!sum) return cost;
  return {
    modelCalls: sum.modelCalls + cost.modelCalls,
    tokensRead: sum.tokensRead + cost.tokensRead,
    tokensWritten: sum.tokensWritten + cost.tokensWritten,
    rounds: sum.rounds + cost.rounds,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
