import { Command } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createPostgresStore } from "@toolrail/core/postgres";
import { references } from "@toolrail/core/references";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
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

  it("continues with what one worker wrote if two ended one step differently", async () => {
    const crash = new AbortController();
    const looks: ((isError: boolean) => void)[] = [];
    const { host, web } = await openPipeHost({
      look: {
        definition: { annotations: { readOnlyHint: true } },
        answer: () =>
          new Promise((resolve) => {
            looks.push((isError) => resolve({ content: [], isError }));
          }),
      },
      echo: {
        answer: () => {
          crash.abort(new Error("crash"));
          return new Promise(() => {});
        },
      },
    });
    const spec = { steps: [{ id: "a", tool: "look" }, say("b"), say("c")] };
    const work = (input: object | null, signal?: AbortSignal) => {
      const graph = compilePipe(host, { spec, checkpointer: new PostgresSaver(pool) });
      const config = { configurable: { thread_id: "two ends" }, ...(signal && { signal }) };
      return graph.invoke(input as never, config);
    };
    /** A worker that has called for the first step. */
    const begin = async (...given: Parameters<typeof work>) => {
      const before = looks.length;
      const running = work(...given);
      await vi.waitFor(() => expect(looks.length).toBe(before + 1));
      return { running, look: looks[before] as (isError: boolean) => void };
    };
    const one = await begin({});
    const other = await begin(null, crash.signal);
    one.look(true);
    expect(await one.running).toMatchObject({ ok: false });
    other.look(false);
    await expect(other.running).rejects.toThrow("crash");
    web.tools.echo = echo;
    expect(await work(null)).toMatchObject({ ok: true, steps: { a: { ok: true } } });
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

  it.each([true, false])(
    "keeps less than 1 KB of a step whose result lies in the store, and that once (read-only: %s)",
    async (readOnlyHint) => {
      const page = "x".repeat(10_000);
      const { host } = await openPipeHost(
        {
          read: {
            definition: { annotations: { readOnlyHint } },
            answer: () => ({ content: [{ type: "text", text: page }] }),
          },
        },
        { use: [references()], store: createPostgresStore(pool) },
      );
      const bytesOf = async (count: number) => {
        const steps = Array.from({ length: count }, (_, at) => ({ id: `s${at}`, tool: "read" }));
        const thread_id = `${readOnlyHint}${count}`;
        const checkpointer = new PostgresSaver(pool);
        const graph = compilePipe(host, { spec: { steps, return: true }, checkpointer });
        await graph.invoke({}, { configurable: { thread_id } });
        const other = compilePipe(host, { spec: { steps, return: true }, checkpointer });
        const { steps: ran = {} } = await other.invoke(null, { configurable: { thread_id } });
        expect(Object.values(ran).map((step) => "text" in step && step.text)).toEqual(
          steps.map(() => page),
        );
        const { rows } = await pool.query(
          `select (select sum(octet_length(blob)) from checkpoint_blobs where thread_id = $1)
                + (select sum(octet_length(blob)) from checkpoint_writes where thread_id = $1) as kept,
                  (select sum(octet_length(value)) from toolrail_store) as stored`,
          [thread_id],
        );
        return { kept: Number(rows[0].kept), stored: Number(rows[0].stored) };
      };
      const [ten, forty] = [await bytesOf(10), await bytesOf(40)];
      expect((forty.kept - ten.kept) / 30).toBeLessThan(1_000);
      expect((forty.stored - ten.stored) / 40).toBeLessThan(10_700);
    },
  );
});
