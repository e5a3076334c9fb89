// A worker that begins a pipe, or goes on with it, until it ends. Prints its result as a line of JSON.
//   node pipe-worker.ts CONNECTION MAX_CONNECTIONS COUNTS

import { fileURLToPath } from "node:url";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost } from "@toolrail/core";
import { Pool } from "pg";
import { compilePipe } from "../../src/pipe/index.ts";
import { runToEnd } from "../run-to-end.ts";

const [, , connectionString = "", max, counts = ""] = process.argv;

const say = (v: string) => ({ id: v, tool: "say", args: { v } });
const group = (id: string, parallel: object[]) => ({ id, parallel });
const nested = (id: string, steps: object[]) => ({ id, pipe: { steps } });
const spec = {
  steps: [
    say("a"),
    nested("n", [
      say("b"),
      group("g", [say("c"), nested("m", [say("d"), say("pay-1"), say("e")])]),
    ]),
    group("h", [say("f"), say("pay-2"), nested("o", [say("i"), say("j")])]),
    nested("p", [nested("q", [say("k"), say("l")]), say("pay-3")]),
    say("z"),
  ],
};

const server = fileURLToPath(new URL("./counting-server.ts", import.meta.url));
const client = new Client({ name: "worker", version: "1" });
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server, counts] }),
);
const pool = new Pool({ connectionString, max: Number(max) });
const host = await createHost({
  servers: { counting: client },
  secret: "the same in each process of the test",
  // A call with an approval is claimed. If its worker is killed in it, the next one waits until the claim ends, and asks again.
  limits: { callTimeoutMs: 2_000 },
  authorize: ({ arguments: { v } }) => (String(v).startsWith("pay") ? "ask" : "allow"),
});
const graph = compilePipe(host, { spec, checkpointer: new PostgresSaver(pool) });
const config = { configurable: { thread_id: "1" } };
/** Continues the run later if a worker that was killed may still be making its call, as an application does. */
const run = (): Promise<object> =>
  runToEnd(graph, { config, input: {}, isApproved: () => true }).catch((cause) => {
    if (Object(cause).code === "claimed-elsewhere") return run();
    throw cause;
  });
const result = await run();
process.stdout.write(`${JSON.stringify(result)}\n`);
await host.close();
await pool.end();
