// The same order as a plain WorkflowAgent of the AI SDK, whose service is killed during each call:
//   npm run evidence:crashes:workflow
// Installs the agent's packages in a temporary folder, which takes a minute and needs the registry.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../../../../scripts/free-port.ts";
import { npmInstall } from "../../../../scripts/npm-install.ts";
import { type Running, startProcess } from "../../../../scripts/start-process.ts";

const STEPS = ["reserve", "charge", "ship"] as const;

/** The local world writes several files for one event, and a run that is killed between them is stuck. */
const SETTLED_MS = 700;

await using started = new AsyncDisposableStack();
const app = process.env.EVIDENCE_APP ?? install();
const [shopPort, port] = [String(await freePort()), String(await freePort())];
const shop = await startProcess({
  ...{ args: ["shop.mjs"], cwd: app, env: { SHOP_PORT: shopPort }, ready: /^ready$/ },
});
started.defer(shop.stop);

console.log("An order of three calls, each a tool of a WorkflowAgent whose call is a step.\n");
let [twice, missing] = [0, 0];
for (const [at, name] of STEPS.entries()) {
  const calls = await takeOrder(at + 1, name);
  const made = (step: string) => calls.filter((one) => one === step).length;
  if (STEPS.some((step) => made(step) > 1)) twice++;
  if (STEPS.some((step) => made(step) === 0)) missing++;
  console.log(`  killed during ${name}: the shop was asked for ${calls.join(", ")}`);
}
console.log(`
Of ${STEPS.length} points, a call was made twice at ${twice}, and a call was missing at ${missing}. A step is tried again by default; the
shop knows no idempotency keys.`);

/** Takes an order in a service that is killed during that call, and then in another. */
async function takeOrder(order: number, during: string): Promise<readonly string[]> {
  const first = await startService();
  const { runId } = (await post("orders", { order })) as { runId: string };
  await shop.waitFor(new RegExp(`^${during} ${order}$`));
  await pause(SETTLED_MS);
  await first.stop();
  const second = await startService();
  await post("results", { runId });
  await second.stop();
  return shop.lines.flatMap((line) =>
    line.endsWith(` ${order}`) ? (line.split(" ")[0] ?? []) : [],
  );
}

async function startService(): Promise<Running> {
  const env = { PORT: port, SHOP_URL: `http://127.0.0.1:${shopPort}/mcp` };
  const service = await startProcess({ args: ["service.mjs"], cwd: app, env, ready: /^ready$/ });
  started.defer(service.stop);
  return service;
}

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

function install(): string {
  const folder = mkdtempSync(join(tmpdir(), "toolrail-workflow-"));
  started.defer(() => rmSync(folder, { recursive: true }));
  cpSync(join(import.meta.dirname, "app"), folder, { recursive: true });
  const example = join(import.meta.dirname, "../../../../examples/durable-workflow");
  cpSync(join(example, "local-world.mjs"), join(folder, "local-world.mjs"));
  npmInstall(folder);
  const build = ["node_modules/workflow/bin/run.js", "build"];
  execFileSync(process.execPath, build, { cwd: folder, stdio: "inherit" });
  return folder;
}
