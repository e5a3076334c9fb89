import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { hopsIn } from "../losing-saver.ts";
import { type Database, noPostgres, startPglite, startPostgres } from "../start-postgres.ts";

const worker = fileURLToPath(new URL("./pipe-worker.ts", import.meta.url));
const STEPS = ["a", "b", "c", "d", "pay-1", "e", "f", "pay-2", "i", "j", "k", "l", "pay-3", "z"];
/** After how many calls a worker is killed, and how many milliseconds later. */
const KILLS = [
  { calls: 3, afterMs: 0 },
  { calls: 5, afterMs: 0 },
  { calls: 7, afterMs: 21 },
  { calls: 12, afterMs: 25 },
];

interface Run {
  /** The file with the calls of the server. */
  readonly counts: string;
}

/** A worker process, which may be killed. */
function startWorker(db: Database, { counts }: Run) {
  const { connectionString, maxConnections } = db;
  const own = [worker, connectionString, String(maxConnections), counts];
  const child = spawn(process.execPath, ["--conditions=@toolrail/source", ...own], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, exit: once(child, "exit"), output: text(child.stdout) };
}

/** What each call of the server said, in order. */
function callsIn(counts: string): string[] {
  return existsSync(counts) ? readFileSync(counts, "utf8").trim().split("\n") : [];
}

/** The steps whose results stand in the database. */
async function finishedIn({ connectionString }: Database): Promise<unknown[]> {
  const pool = new Pool({ connectionString, max: 1 });
  const { rows } = await pool.query(
    "select blob from checkpoint_writes union all select blob from checkpoint_blobs",
  );
  await pool.end();
  const written = rows.map(({ blob }) => JSON.parse(String(blob) || "null"));
  return [...hopsIn(written).values()].map(({ v }) => v);
}

it.for([
  ["PGlite", undefined, startPglite],
  ["Postgres", noPostgres, startPostgres],
] as const)(
  "A pipe on %s whose workers are killed ends in another, and no finished call is made again.",
  async ([, reason, start], { skip }) => {
    if (reason) console.info(reason);
    skip(reason !== undefined, reason);
    const folder = mkdtempSync(join(tmpdir(), "toolrail-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const db = await start();
    onTestFinished(() => db.stop());
    const setup = PostgresSaver.fromConnString(db.connectionString);
    await setup.setup();
    await setup.end();
    const counts = join(folder, "calls.txt");

    const kills: { readonly finished: unknown[]; readonly made: number }[] = [];
    for (const { calls, afterMs } of KILLS) {
      const { child, exit } = startWorker(db, { counts });
      while (callsIn(counts).length < calls && child.exitCode === null) await setTimeout(2);
      await setTimeout(afterMs);
      child.kill("SIGKILL");
      expect(await exit).toEqual([null, "SIGKILL"]);
      kills.push({ finished: await finishedIn(db), made: callsIn(counts).length });
    }
    const { output, exit } = startWorker(db, { counts });
    expect(JSON.parse(await output)).toMatchObject({ ok: true, steps: { z: { text: "z done" } } });
    await exit;
    const all = callsIn(counts);
    expect(new Set(all)).toEqual(new Set(STEPS));
    for (const { finished, made } of kills) {
      expect(finished).toContain("a");
      expect(all.slice(made).filter((v) => finished.includes(v))).toEqual([]);
    }
  },
);
