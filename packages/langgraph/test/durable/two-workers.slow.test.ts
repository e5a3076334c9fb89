import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, noPostgres, startPglite, startPostgres } from "../start-postgres.ts";
import { openThread } from "./start-worker.ts";

if (noPostgres) console.warn(`Two workers at once are not tried. ${noPostgres}`);

/** The same in all graphs: `pay` waits for a person. A chain inside one call cannot wait in its middle. */
const GRAPHS = ["middleware", "node", "pipe", "guard"];

/** Later than any claim of a worker that was lost. */
const LATER = { aheadMs: 300_000 };

describe.skipIf(noPostgres)("Two workers at once", () => {
  let db: Database;
  beforeAll(async () => {
    db = await startPostgres();
  });
  afterAll(() => db.stop());

  it.each(GRAPHS)("resume one thread at once, and pay once (%s).", async (graph) => {
    const thread = await openThread(graph, db);
    const [a, b] = await Promise.all([thread.start(), thread.start()]);
    expect((await a.run("start")).asks).toHaveLength(1);
    expect(thread.paid()).toEqual([]);
    const answers = await Promise.all([a.run("resume"), b.run("resume")]);
    expect(thread.paid()).toHaveLength(1);
    const done = graph === "pipe" ? /^true/ : /^success .*pay/;
    const said = answers.map((answer) => String(answer.said));
    expect(said.some((one) => done.test(one))).toBe(true);
    // Nobody waits for the call of another worker: while it is under way, the answer is that.
    const elsewhere = /is being called already|claimed-elsewhere/;
    expect(said.filter((one) => !done.test(one) && !elsewhere.test(one))).toEqual([]);
  });
});

describe("A worker that was lost while its server had the call", () => {
  let db: Database;
  beforeAll(async () => {
    db = await (noPostgres ? startPglite() : startPostgres());
  });
  afterAll(() => db.stop());

  it.each(GRAPHS)("is followed by no second payment, soon or later (%s).", async (graph) => {
    const thread = await openThread(graph, db);
    const lost = await thread.start({ mode: "mute" });
    await lost.run("start");
    lost.run("resume").catch(() => {});
    await lost.killWhenPaying();
    for (const start of [{ callTimeoutMs: 100 }, LATER]) {
      const worker = await thread.start(start);
      const { asks } = await worker.run("resume");
      expect(asks).toBeUndefined();
      expect(thread.paid()).toHaveLength(1);
    }
  });
});
