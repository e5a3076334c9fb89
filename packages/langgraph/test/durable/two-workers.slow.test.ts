import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, noPostgres, startPglite, startPostgres } from "../start-postgres.ts";
import { openThread } from "./start-worker.ts";

if (noPostgres) console.warn(`Two workers at once are not tried. ${noPostgres}`);

/** The same in all graphs: `pay` waits for a person. */
const GRAPHS = ["inside", "middleware", "node", "pipe", "guard"];

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
    const said = graph === "pipe" ? /^true/ : /^success .*pay/;
    expect(answers).toEqual([1, 2].map(() => ({ said: expect.stringMatching(said) })));
  });
});

describe("A worker that was lost while its server had the call", () => {
  let db: Database;
  beforeAll(async () => {
    db = await (noPostgres ? startPglite() : startPostgres());
  });
  afterAll(() => db.stop());

  async function loseWorker(graph: string, mode: "deaf" | "mute") {
    const thread = await openThread(graph, db);
    const lost = await thread.start({ mode });
    await lost.run("start");
    lost.run("resume").catch(() => {});
    await lost.killWhenPaying();
    return thread;
  }

  it.each(GRAPHS)(
    "is followed by no second payment without a person's word (%s).",
    async (graph) => {
      const thread = await loseWorker(graph, "mute");
      // Its claim has not expired: the thread stays as it is.
      const soon = await thread.start({ callTotalTimeoutMs: 100 });
      expect(await soon.run("resume")).toEqual({ error: "claimed-elsewhere" });
      const later = await thread.start(LATER);
      const { asks } = await later.run("resume");
      expect(asks).toEqual([expect.stringContaining("it is unknown whether that took effect")]);
      const { asks: more, said } = await later.run("reject");
      expect(more).toBeUndefined();
      expect(said).toContain("was not approved");
      expect(thread.paid()).toHaveLength(1);
    },
  );

  it.each(["middleware", "pipe"])(
    "is followed by the one payment if a person approves it again (%s).",
    async (graph) => {
      const thread = await loseWorker(graph, "deaf");
      const later = await thread.start(LATER);
      expect((await later.run("resume")).asks).toHaveLength(1);
      expect(thread.paid()).toEqual([]);
      expect((await later.run("resume")).asks).toBeUndefined();
      expect(thread.paid()).toHaveLength(1);
    },
  );

  it("is followed by a payment with the same key if the first one was made", async () => {
    const thread = await loseWorker("guard", "mute");
    const later = await thread.start(LATER);
    await later.run("resume");
    await later.run("resume");
    const [first, again] = thread.paid();
    expect(first).toMatch(/^pay [0-9a-f]{64}$/);
    expect(again).toBe(first);
  });
});
