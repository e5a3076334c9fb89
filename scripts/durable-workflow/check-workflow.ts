// Builds examples/durable-workflow with the packed packages, and kills its service twice for each of its workflows: in
// the middle of a call, and while a call waits for a person. The shop's own log must show each call once, and the one that
// was cut off with the same key again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { installExample } from "../install-example.ts";
import { type Running, startProcess } from "../start-process.ts";

const app = installExample("durable-workflow");
for (const command of [
  ["typescript/bin/tsc", "--noEmit"],
  ["workflow/bin/run.js", "build"],
]) {
  const [program = "", ...args] = command;
  execFileSync(process.execPath, [join(app, "node_modules", program), ...args], {
    cwd: app,
    stdio: "inherit",
  });
}

/** The local world writes several files for one event, and a run that is killed between them is stuck. */
const SETTLED_MS = 2_000;

await using started = new AsyncDisposableStack();
const [shopPort, port] = [String(await freePort()), String(await freePort())];
const shop = await startProcess({
  args: ["shop-server.mjs"],
  cwd: app,
  env: { SHOP_PORT: shopPort },
  ready: /^ready$/,
});
started.defer(shop.stop);

const chain = await returnOrder({ order: 7 });
assert.deepEqual(chain.question, { call: "shop.refund", arguments: '{"order":7}' });
const { ended, calls } = chain.result;
assert.equal(ended, "complete");
assert.deepEqual(calls, ["return_order", "book_pickup", "refund"]);
report(
  "a chain in a workflow went on to its end in a third process, and no finished call was repeated",
);

const agent = await returnOrder({ order: 8, by: "agent" });
assert.deepEqual(agent.question, { asked: ['refund {"order":8}'] });
assert.deepEqual(agent.result, { text: "Your money is on its way." });
const read = agent.said.filter((line) => line.startsWith("the model reads: "));
assert.equal(read.length, 3, read.join("\n"));
assert.match(
  read[1] ?? "",
  /The order comes back.*The van comes tomorrow.*refund needs a person's approval/,
);
assert.match(read[2] ?? "", /Order 8 was paid back/);
assert.doesNotMatch(agent.said.filter((line) => !line.startsWith("the user")).join("\n"), /4711/);
const shown = agent.said.filter((line) => line.startsWith("the user is shown: "));
assert.deepEqual(shown, ["the user is shown: Receipt 4711-8"]);
report(
  "so did a chained agent: its model was asked three times, and read nothing that is for the user alone",
);
console.log(`The shop's log:\n  ${shopLog().join("\n  ")}`);

/** Has an order taken back in three processes, of which two are killed. Returns also what they have printed. */
async function returnOrder(request: { readonly order: number; readonly by?: "agent" }) {
  const { order } = request;
  const before = shopLog().length;
  const newLog = () => shopLog().slice(before);
  const first = await startService();
  const { runId } = await post("returns", request);
  await shop.waitFor(new RegExp(`^book_pickup ${order}$`));
  await pause(SETTLED_MS);
  await first.stop();
  assert.deepEqual(newLog(), ["tools/list", `return_order ${order}`, `book_pickup ${order}`]);
  report("the service was killed while the shop was at its second call");

  const second = await startService();
  const question = await waitFor("questions", { token: `return-${order}` });
  await pause(SETTLED_MS);
  await second.stop();
  assert.deepEqual(newLog().slice(3), [`book_pickup ${order}: had it already`]);
  report("the next process made no finished call again, and sent the other one with the same key");

  const third = await startService();
  await post("decisions", { token: `return-${order}`, decision: "approve" });
  const result = await post("results", { runId });
  await third.stop();
  assert.deepEqual(newLog().slice(4), ["tools/list", `refund ${order}`]);
  return { question, result, said: [first, second, third].flatMap(({ lines }) => lines) };
}

async function startService(): Promise<Running> {
  const service = await startProcess({
    args: ["service.mjs"],
    cwd: app,
    env: { PORT: port, SHOP_URL: `http://127.0.0.1:${shopPort}/mcp` },
    ready: /^ready$/,
  });
  started.defer(service.stop);
  return service;
}

function shopLog(): string[] {
  return shop.lines.filter((line) => line !== "ready");
}

/** Asks until there is an answer. */
async function waitFor(path: string, body: unknown): Promise<unknown> {
  const lastMs = Date.now() + 60_000;
  for (;;) {
    try {
      return await post(path, body);
    } catch (cause) {
      if (Date.now() > lastMs) throw cause;
      await pause(200);
    }
  }
}

async function post(path: string, body: unknown) {
  const signal = AbortSignal.timeout(120_000);
  const request = { method: "POST", body: JSON.stringify(body), signal };
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, request);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

function report(what: string): void {
  console.log(`✔ ${what}`);
}
