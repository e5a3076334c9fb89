import { Annotation, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { uniqueVersions } from "../../src/index.ts";
import { startPglite } from "../start-postgres.ts";

it("Two runs from one checkpoint keep what each has written, on Postgres.", async () => {
  const db = await startPglite();
  onTestFinished(() => db.stop());
  const pool = new Pool({ connectionString: db.connectionString, max: db.maxConnections });
  onTestFinished(() => pool.end());
  const saver = new PostgresSaver(pool);
  await saver.setup();
  let runs = 0;
  const graph = new StateGraph(
    Annotation.Root({ run: Annotation<number>, given: Annotation<number> }),
  )
    .addNode("count", () => ({ run: ++runs }))
    .addEdge(START, "count")
    .compile({ checkpointer: uniqueVersions(saver), interruptBefore: ["count"] });
  const thread = { configurable: { thread_id: "1" } };
  await graph.invoke({ given: 1 }, thread);
  const { config } = await graph.getState(thread);
  const ends = [];
  for (let run = 0; run < 2; run++) {
    await graph.invoke(null, config);
    ends.push((await graph.getState(thread)).config);
  }
  const values = await Promise.all(ends.map(async (end) => (await graph.getState(end)).values));
  expect(values).toEqual([
    { given: 1, run: 1 },
    { given: 1, run: 2 },
  ]);
});

it("Versions grow, also from those that were counted before.", () => {
  const saver = uniqueVersions(new MemorySaver());
  let version: number | undefined;
  for (let count = 1; count < 1_000; count++) {
    const next = saver.getNextVersion(version);
    expect(next).toBeGreaterThan(version ?? 0);
    expect(Math.floor(next)).toBeGreaterThanOrEqual(count);
    version = next;
  }
  expect(saver.getNextVersion(7)).toBeGreaterThan(7);
});

it("A saver that makes versions of its own keeps them, and its private fields.", () => {
  class OwnVersions extends MemorySaver {
    #count = 0;
    override getNextVersion(): never {
      this.#count++;
      return `v${this.#count}` as never;
    }
    count(): number {
      return this.#count;
    }
  }
  const saver = uniqueVersions(new OwnVersions());
  expect([saver.getNextVersion(), saver.getNextVersion()]).toEqual(["v1", "v2"]);
  expect(saver.count()).toBe(2);
  expect(saver).toBeInstanceOf(MemorySaver);
});
