import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { onTestFinished } from "vitest";
import type { Database } from "../start-postgres.ts";

const script = fileURLToPath(new URL("./worker.ts", import.meta.url));

export interface WorkerOptions {
  /** What its server does when it is told to pay: see `paying-server.ts`. */
  readonly mode: "answers" | "deaf" | "mute";
  /** By how much its clock is ahead of the others. */
  readonly aheadMs: number;
  /** False takes `claim` from its store. */
  readonly claims: boolean;
  readonly callTimeoutMs: number;
}

const DEFAULTS: WorkerOptions = {
  mode: "answers",
  aheadMs: 0,
  claims: true,
  callTimeoutMs: 60_000,
};

/** A thread in an empty database, and the workers that go on with it. */
export async function openThread(graph: string, { connectionString, maxConnections }: Database) {
  const pool = new Pool({ connectionString, max: 1 });
  await pool.query("drop schema public cascade; create schema public");
  await new PostgresSaver(pool).setup();
  await pool.end();
  const folder = mkdtempSync(join(tmpdir(), "toolrail-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "payments.txt");
  writeFileSync(file, "");
  const start = async (options: Partial<WorkerOptions> = {}) => {
    const reach = { connectionString, max: maxConnections, payments: file };
    const all = JSON.stringify({ ...DEFAULTS, ...options, ...reach });
    const args = ["--conditions=@toolrail/source", script, graph, all];
    const child = spawn(process.execPath, args);
    onTestFinished(() => void child.kill("SIGKILL"));
    const errors: string[] = [];
    child.stderr.on("data", (text) => errors.push(String(text)));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const read = async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error(`The worker has ended: ${errors.join("")}`);
      return value;
    };
    await read();
    return {
      async run(command: "start" | "resume" | "reject") {
        child.stdin.write(`${command}\n`);
        return JSON.parse(await read());
      },
      /** Ends it at once when its server has been told to pay. */
      async killWhenPaying() {
        while (!errors.join("").includes("told to pay")) await once(child.stderr, "data");
        child.kill("SIGKILL");
        await once(child, "exit");
      },
    };
  };
  /** The payments that were made, each with its idempotency key. */
  const paid = () => readFileSync(file, "utf8").match(/^pay .*$/gm) ?? [];
  return { start, paid };
}
