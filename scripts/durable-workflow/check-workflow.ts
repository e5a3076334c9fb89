// Builds examples/durable-workflow with the packed packages, and kills its service twice: in the middle of a call, and
// while a call waits for a person. The shop's own log must show each call once, and the one that was cut off with the
// same key again.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../free-port.ts";
import { installExample } from "../install-example.ts";
import { startProcess } from "../start-process.ts";

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

await using started = new AsyncDisposableStack();
const [shopPort, port] = [String(await freePort()), String(await freePort())];
const shop = await startProcess({
  args: ["shop-server.mjs"],
  cwd: app,
  env: { SHOP_PORT: shopPort },
  ready: /^ready$/,
});
started.defer(shop.stop);
const startService = () =>
  startProcess({
    args: ["service.mjs"],
    cwd: app,
    env: { PORT: port, SHOP_URL: `http://127.0.0.1:${shopPort}/mcp` },
    ready: /^ready$/,
  });

const first = await startService();
started.defer(first.stop);
const { runId } = await post("returns", { order: 7 });
await shop.says(/^book_pickup 7$/);
await first.stop();
assert.deepEqual(shopLog(), ["tools/list", "return_order 7", "book_pickup 7"]);
say("the service was killed while the shop was at its second call");

const second = await startService();
started.defer(second.stop);
const question = await waitFor("questions", { token: "return-7" });
assert.deepEqual(question, { call: "shop.refund", arguments: '{"order":7}' });
await pause(2_000); // The local world writes several files for one event: a run that is killed between them is stuck.
await second.stop();
const resumed = ["book_pickup 7: had it already"];
assert.deepEqual(shopLog().slice(3), resumed);
say("the next process made no finished call again, and sent the other one with the same key");

const third = await startService();
started.defer(third.stop);
await post("decisions", { token: "return-7", decision: "approve" });
const { ended, calls } = await post("results", { runId });
assert.deepEqual(
  { ended, calls },
  { ended: "complete", calls: ["return_order", "book_pickup", "refund"] },
);
assert.deepEqual(shopLog().slice(4), ["tools/list", "refund 7"]);
say("an approval was kept over a second kill, and the chain went on to its end in a third process");
console.log(`The shop's log:\n  ${shopLog().join("\n  ")}`);

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

function say(what: string): void {
  console.log(`✔ ${what}`);
}
