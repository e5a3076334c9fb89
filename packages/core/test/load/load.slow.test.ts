import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { noPostgres, startPostgres } from "../../../langgraph/test/start-postgres.ts";
import type { ChainWorkerOptions, Line } from "./chain-worker.ts";
import type { CallNote } from "./shop-server.ts";

const CHAINS = 500;
const KILLS = 12;
const ROUNDS = 12;
/** The rounds after which a process runs as fast as one that has served for a while. */
const WARM_ROUNDS = 6;
/** Later than any claim of a worker that was killed. */
const LATER_MS = 600_000;

const idsFrom = (first: number) => Array.from({ length: CHAINS }, (_, at) => first + at);

function startScript(name: string, ...args: string[]): ChildProcess {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@toolrail/source", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function startShop() {
  const child = startScript("./shop-server.ts");
  const [url] = await once(createInterface(child.stdout as never), "line");
  return {
    url: String(url),
    async notes() {
      const entries = await (await fetch(`${url}/notes`)).json();
      return new Map<string, CallNote>(entries as [string, CallNote][]);
    },
  };
}

type Given = Pick<ChainWorkerOptions, "url" | "ids"> & Partial<ChainWorkerOptions>;

const startWorker = (options: Given) =>
  startScript(
    "./chain-worker.ts",
    JSON.stringify({ by: "host", isOnce: true, aheadMs: 0, ...options }),
  );

type Ends = readonly (readonly [id: number, end: string])[];

/** Returns how the chains of a worker ended, and the times of its rounds: none if it was killed in the first. */
async function endOf(worker: ChildProcess) {
  const [said] = await Promise.all([text(worker.stdout as never), once(worker, "exit")]);
  const whole = said.split("\n").slice(0, -1); // The last line of a killed worker may be cut.
  const lines = whole.map((line) => JSON.parse(line) as Line);
  const ends: Ends = lines.flatMap((line) => ("elapsedMs" in line ? [] : [line]));
  const elapsedMs = lines.flatMap((line) => ("elapsedMs" in line ? line.elapsedMs : []));
  return { ends, elapsedMs };
}

const idsOf = (ends: Ends, how: string) => ends.flatMap(([id, end]) => (end === how ? id : []));

/** Holds that no call was made twice, and that the calls of each chain that is not unknown were made once. */
function expectOnce(ends: Ends, notes: ReadonlyMap<string, CallNote>): readonly number[] {
  expect(ends).toHaveLength(CHAINS);
  expect([...notes].filter(([, { made }]) => made > 1)).toEqual([]);
  const unknown = idsOf(ends, "outcome-unknown");
  const others = ends.filter(([id]) => !unknown.includes(id));
  expect(others.filter(([, end]) => end !== "complete")).toEqual([]);
  const isMade = (id: number) =>
    ["order", "pay"].every((name) => notes.get(`${name} ${id}`)?.made === 1);
  expect(others.filter(([id]) => !isMade(id))).toEqual([]);
  return unknown;
}

if (noPostgres) console.warn(`Chains under load are tried in memory only. ${noPostgres}`);

it.each(
  ["memory", "Postgres"].map((store) => ({ store, isLeftOut: store !== "memory" && !!noPostgres })),
)(
  "Of 500 chains at once over HTTP, with errors and lost connections, none is made twice, and only what was cut is unknown ($store).",
  async ({ store, isLeftOut }) => {
    if (isLeftOut) return;
    const shop = await startShop();
    const db = store === "memory" ? undefined : await startPostgres();
    if (db) onTestFinished(() => db.stop());
    const own = db && { connectionString: db.connectionString };
    const end = await endOf(startWorker({ url: `${shop.url}/mcp`, ids: idsFrom(1), ...own }));
    const notes = await shop.notes();
    const unknown = expectOnce(end.ends, notes);
    const isCut = (id: number) =>
      ["order", "pay"].some((name) => notes.get(`${name} ${id}`)?.isCut);
    expect(unknown.filter((id) => !isCut(id))).toEqual([]);
    expect(unknown.length).toBeGreaterThan(5);
    console.info(`${CHAINS} chains in ${store}: ${unknown.length} were cut and are unknown`);
  },
);

it.skipIf(noPostgres)(
  "Three workers that share all chains and are killed twelve times make no call twice, and lose no result that one of them had.",
  async () => {
    const shop = await startShop();
    const db = await startPostgres();
    onTestFinished(() => db.stop());
    const { connectionString } = db;
    const url = `${shop.url}/mcp`;
    let kills = 0;
    /** The chains whose results a worker had, also one that was killed later. */
    const known = new Set<number>();
    const keepRunning = async (at: number) => {
      const ids = idsFrom(1);
      // Each worker begins at another chain, and comes to those of the others.
      const order = [...ids.slice((at * CHAINS) / 3), ...ids.slice(0, (at * CHAINS) / 3)];
      for (;;) {
        const worker = startWorker({ url, ids: order, connectionString });
        const ended = endOf(worker);
        // Somewhere between its start and its end.
        if (kills < KILLS) {
          kills++;
          const before = (await shop.notes()).size;
          const isOver = ended.then(() => true);
          while ((await shop.notes()).size === before) {
            if (await Promise.race([isOver, setTimeout(5, false)])) break;
          }
          worker.kill("SIGKILL");
        }
        const { ends, elapsedMs } = await ended;
        for (const id of idsOf(ends, "complete")) known.add(id);
        if (elapsedMs.length > 0) return;
      }
    };
    await Promise.all([0, 1, 2].map(keepRunning));
    const last = startWorker({ url, ids: idsFrom(1), connectionString, aheadMs: LATER_MS });
    const end = await endOf(last);
    const unknown = expectOnce(end.ends, await shop.notes());
    expect(unknown.filter((id) => known.has(id))).toEqual([]);
    console.info(`${CHAINS} chains, ${kills} workers killed: ${unknown.length} are unknown`);
  },
);

it("500 chains at once over HTTP all complete, and their time beside code by hand on the SDK's client is printed.", async () => {
  const shop = await startShop();
  const db = noPostgres ? undefined : await startPostgres();
  if (db) onTestFinished(() => db.stop());
  const inDb = db && { connectionString: db.connectionString };
  const ways: readonly (readonly [string, Partial<ChainWorkerOptions>])[] = [
    ["sdk", { by: "sdk" }],
    ["host", { isOnce: false }],
    ["host, once in memory", {}],
    ...(inDb
      ? ([
          ["sdk, once in Postgres", { by: "sdk", ...inDb }],
          ["host, once in Postgres", inDb],
        ] as const)
      : []),
  ];
  const times = new Map<string, number>();
  for (const [at, [way, own]] of ways.entries()) {
    const ids = Array.from({ length: ROUNDS * CHAINS }, (_, id) => (at + 1) * 100_000 + id);
    const { ends, elapsedMs } = await endOf(
      startWorker({ url: `${shop.url}/steady`, ids, ...own }),
    );
    expect(idsOf(ends, "complete")).toHaveLength(ids.length);
    times.set(way, elapsedMs.slice(WARM_ROUNDS).toSorted((a, b) => a - b)[2] ?? 0);
  }
  const timeOf = (way: string) => times.get(way) ?? 0;
  for (const [way] of ways) {
    const ratios = ["sdk", "sdk, once in Postgres"].flatMap((other) =>
      other === way || !times.has(other) ? [] : (timeOf(other) / timeOf(way)).toFixed(2),
    );
    console.info(`${way}: ${Math.round(timeOf(way))} ms, ${ratios.join(" and ")}`);
  }
}, 300_000);
