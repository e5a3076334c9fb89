// A worker that takes all threads of a queue to their end, or goes on with them, and then ends.
//   node thread-worker.ts OPTIONS     prints the calls that the results say have failed, as JSON

import { setTimeout } from "node:timers/promises";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHost, ToolrailError } from "@toolrail/core";
import { innerResults, type StepResults } from "@toolrail/core/pipe";
import { createPostgresStore } from "@toolrail/core/postgres";
import { references } from "@toolrail/core/references";
import { Pool } from "pg";
import { compilePipe } from "../../src/pipe/index.ts";
import { runToEnd } from "../run-to-end.ts";

export interface ThreadWorkerOptions {
  readonly connectionString: string;
  readonly maxConnections: number;
  /** Of the ledger. */
  readonly url: string;
  /** In the order in which it takes them. */
  readonly threads: readonly string[];
  readonly atOnce: number;
  /** By how much its clock is ahead of the others. */
  readonly aheadMs: number;
}

const options = JSON.parse(process.argv[2] ?? "") as ThreadWorkerOptions;
const { connectionString, maxConnections: max, url, aheadMs } = options;

const pool = new Pool({ connectionString, max });
const checkpointer = new PostgresSaver(pool);
const client = new Client({ name: "worker", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never);
const store = createPostgresStore(pool);
const now = performance.now.bind(performance);
performance.now = () => now() + aheadMs;
const host = await createHost({
  servers: { ledger: client },
  store,
  // Every result lies in the store, and its address in the checkpoints.
  use: [references({ minLength: 1 })],
  secret: "the same in each process of the test",
  authorize: ({ arguments: { step } }) => (step === "pay" ? "ask" : "allow"),
  limits: { callTimeoutMs: 5_000 },
});

const act = (thread: string, step: string) => ({ id: step, tool: "act", args: { thread, step } });

function toSpec(thread: string) {
  const own = (step: string) => act(thread, step);
  const inner = { steps: [own("d")] };
  return {
    continue_on_error: true,
    steps: [
      own("a"),
      { id: "g", parallel: [own("b"), own("pay"), { id: "n", pipe: inner }] },
      own("z"),
    ],
  };
}

/** Takes a thread as far as it goes: true at its end. One worker begins it, and any may go on with it. */
async function goOn(thread: string): Promise<boolean> {
  const graph = compilePipe(host, { spec: toSpec(thread), key: thread, checkpointer });
  const config = { configurable: { thread_id: thread } };
  // From its first step on, all that go on with a run have the same id of it.
  const isBegun = "run" in (await graph.getState(config)).values;
  if (!isBegun && !(await store.claim(`begin:${thread}`, true, BEGIN_MS))) return false;
  const calls: string[] = await (await fetch(`${url}/calls`)).json();
  const isApproved = ({ step }: Record<string, unknown>) => !calls.includes(`${thread} ${step}`);
  const state = await runToEnd(graph, { config, input: {}, isApproved });
  failed.push(
    ...failedSteps((state as { steps: StepResults }).steps).map((id) => `${thread} ${id}`),
  );
  return true;
}

/** The calls of ended threads that their results report as failed, as `thread step`. */
const failed: string[] = [];

function failedSteps(steps: StepResults): string[] {
  return Object.entries(steps).flatMap(([id, step]) =>
    step.kind === "tool" ? (step.ok ? [] : id) : failedSteps(innerResults(step)),
  );
}

/** A worker that has not written a checkpoint by then has been lost. */
const BEGIN_MS = 30_000;

async function finish(thread: string): Promise<void> {
  for (;;) {
    try {
      if (await goOn(thread)) return;
    } catch (error) {
      // Another worker is at it: this one comes back later.
      if (!ToolrailError.isInstance(error, "claimed-elsewhere")) throw error;
    }
    await setTimeout(100);
  }
}

const left = [...options.threads];
const takeAll = async () => {
  for (let thread = left.shift(); thread !== undefined; thread = left.shift()) await finish(thread);
};
await Promise.all(Array.from({ length: options.atOnce }, takeAll));
await host.close();
await pool.end();
process.stdout.write(JSON.stringify(failed));
