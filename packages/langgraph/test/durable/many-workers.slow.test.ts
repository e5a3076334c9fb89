import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { noPostgres, startPostgres } from "../start-postgres.ts";
import { startLedger } from "./ledger-server.ts";
import type { ThreadWorkerOptions } from "./thread-worker.ts";

// `npm run workers` runs it with 200 threads.
const isFull = process.env.TOOLRAIL_WORKERS === "full";
const WORKERS = 4;
const THREADS = Array.from({ length: isFull ? 200 : 6 }, (_, at) => `thread-${at}`);
/** A worker is killed while the server has its call: the first, and then every so many calls. */
const KILL_EVERY = isFull ? 23 : 8;
const STEPS = ["a", "b", "pay", "d", "z"];
/** Later than any claim of a worker that was lost. */
const LATER_MS = 300_000;

const script = fileURLToPath(new URL("./thread-worker.ts", import.meta.url));

const TITLE =
  "Four workers that are killed at random take all threads to their end, and the server has each call once, or the result says that it failed.";

if (noPostgres) console.warn(`Four workers are not tried. ${noPostgres}`);

it.skipIf(noPostgres)(TITLE, { timeout: isFull ? 1_800_000 : 300_000 }, async () => {
  const db = await startPostgres();
  onTestFinished(() => db.stop());
  const setup = new Pool({ connectionString: db.connectionString, max: 1 });
  await new PostgresSaver(setup).setup();
  await setup.end();

  const workers: (ChildProcess | undefined)[] = Array.from({ length: WORKERS });
  const killed: string[] = [];
  const ledger = await startLedger((count) => {
    if (count % KILL_EVERY !== 1) return;
    const running = workers.filter((worker) => worker?.exitCode === null && !worker.killed);
    running[count % running.length]?.kill("SIGKILL");
    killed.push(ledger.calls[count - 1] ?? "");
  });
  onTestFinished(() => ledger.stop());

  const run = async (slot: number, own: Partial<ThreadWorkerOptions>) => {
    const options = {
      ...db,
      url: ledger.url,
      threads: THREADS,
      atOnce: isFull ? 4 : 2,
      aheadMs: 0,
      maxConnections: 2,
      ...own,
    };
    const args = ["--conditions=@toolrail/source", script, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    workers[slot] = child;
    const [printed, said] = [text(child.stdout), text(child.stderr)];
    const [code, signal] = await once(child, "exit");
    return code === 0 ? { code, failed: await printed } : { code, signal, said: await said };
  };
  /** One worker after another in its slot, until one has come to the end. Two and two take the threads in one order. */
  const keepRunning = async (slot: number) => {
    const threads = slot < WORKERS / 2 ? THREADS : THREADS.toReversed();
    for (;;) {
      const { signal, ...end } = await run(slot, { threads });
      if (signal !== "SIGKILL") return end;
    }
  };
  onTestFinished(() => {
    for (const worker of workers) worker?.kill("SIGKILL");
  });
  const ends = await Promise.all(workers.map((_, slot) => keepRunning(slot)));
  expect(ends).toEqual(workers.map(() => ({ code: 0, failed: expect.anything() })));
  const last = await run(0, { aheadMs: LATER_MS });
  expect(last).toEqual({ code: 0, failed: expect.anything() });

  console.info(
    `${THREADS.length} threads, ${ledger.calls.length} calls, ${killed.length} workers killed`,
  );
  expect(killed.length).toBeGreaterThan(2);
  const expected = THREADS.flatMap((thread) => STEPS.map((step) => `${thread} ${step}`));
  const made = new Set(ledger.calls);
  expect([...made].toSorted()).toEqual(ledger.calls.toSorted());
  // A worker may be killed between its claim and its request. Nobody makes that call again, and its step fails.
  const missing = expected.filter((call) => !made.has(call));
  expect(missing.length).toBeLessThanOrEqual(killed.length);
  expect(JSON.parse(last.failed ?? "")).toEqual(expect.arrayContaining(missing));
  expect(expected).toEqual(expect.arrayContaining([...made]));
});
