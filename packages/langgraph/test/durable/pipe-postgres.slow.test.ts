import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost, said, say } from "../pipe/pipe-scenario.ts";
import { type Database, startPglite } from "../start-postgres.ts";

let db: Database;
let pool: Pool;

beforeAll(async () => {
  db = await startPglite();
  pool = new Pool({ connectionString: db.connectionString, max: db.maxConnections });
  await new PostgresSaver(pool).setup();
});

afterAll(async () => {
  await pool.end();
  await db.stop();
});

const NESTED = {
  steps: [
    say("a"),
    {
      id: "g",
      parallel: [
        say("b"),
        {
          id: "n",
          pipe: {
            steps: [
              say("c"),
              { id: "h", parallel: [say("d"), { id: "pay", tool: "pay", args: { v: "pay" } }] },
            ],
          },
        },
      ],
    },
    say("z"),
  ],
};

describe("a pipe on Postgres", () => {
  it("continues after a crash in a nested group, with another graph and another saver", async () => {
    const aborter = new AbortController();
    const { host, web } = await openPipeHost({
      echo,
      pay: {
        answer: () => {
          aborter.abort(new Error("crash"));
          return new Promise(() => {});
        },
      },
    });
    const config = { configurable: { thread_id: "crash" } };
    const first = compilePipe(host, { spec: NESTED, checkpointer: new PostgresSaver(pool) });
    const running = first.invoke({}, { ...config, signal: aborter.signal, durability: "sync" });
    await expect(running).rejects.toThrow();
    web.tools.pay = echo;
    const before = said(web);
    const second = compilePipe(host, { spec: NESTED, checkpointer: new PostgresSaver(pool) });
    expect(await second.invoke(null, config)).toMatchObject({ ok: true });
    const again = said(web).slice(before.length);
    expect(again).toContain("pay");
    expect(again).toContain("z");
    expect(again).not.toContain("a");
    expect(again).not.toContain("c");
  });

  it("waits for a person in a nested group, and makes no call twice", async () => {
    const { host, web } = await openPipeHost(
      { echo, pay: echo },
      { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
    );
    const config = { configurable: { thread_id: "approval" } };
    await compilePipe(host, { spec: NESTED, checkpointer: new PostgresSaver(pool) }).invoke(
      {},
      config,
    );
    expect(said(web).toSorted()).toEqual(["a", "b", "c", "d"]);
    const second = compilePipe(host, { spec: NESTED, checkpointer: new PostgresSaver(pool) });
    const resume = { decisions: [{ type: "approve" }] };
    expect(await second.invoke(new Command({ resume }), config)).toMatchObject({ ok: true });
    expect(said(web).toSorted()).toEqual(["a", "b", "c", "d", "pay", "z"]);
  });

  it("grows by the step, and not by the square of the steps", async () => {
    const { host } = await openPipeHost({ echo });
    const bytesOf = async (count: number) => {
      const steps = Array.from({ length: count }, (_, at) => say(`s${at}`, "x".repeat(5_000)));
      const graph = compilePipe(host, {
        spec: { steps, return: true },
        checkpointer: new PostgresSaver(pool),
      });
      await graph.invoke({}, { configurable: { thread_id: `n${count}` } });
      const { rows } = await pool.query(
        `select (select sum(octet_length(blob)) from checkpoint_blobs where thread_id = $1)
              + (select sum(octet_length(blob)) from checkpoint_writes where thread_id = $1) as bytes`,
        [`n${count}`],
      );
      return Number(rows[0].bytes);
    };
    const [ten, forty] = [await bytesOf(10), await bytesOf(40)];
    expect(forty / ten).toBeLessThan(4.4);
  });
});
