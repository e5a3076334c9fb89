// Runs the chains of a test, many at once, in a process of its own. Prints a line when one has ended, and the time of those at once.
//   node chain-worker.ts OPTIONS
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createHost, type Store } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { createPostgresStore } from "@toolrail/core/postgres";
import { Pool } from "pg";

export interface ChainWorkerOptions {
  /** Of the server. */
  readonly url: string;
  /** In the order in which the chains begin. */
  readonly ids: readonly number[];
  /** The number of chains that run at once. */
  readonly atOnce: number;
  /** A chain as code on the client of the SDK, or as a chain of a host. */
  readonly by: "sdk" | "host";
  /** If true, each chain has a key, so that it is made once among all workers. */
  readonly isOnce: boolean;
  /** The database of the host's store. Default: the memory of the process. */
  readonly connectionString?: string;
  /** By how much the clock is ahead of that of other workers. */
  readonly aheadMs: number;
}

/** A line of a worker: how a chain ended (`complete`, or the code of its error), or how long those at once have taken. */
export type Line = readonly [id: number, end: string] | { readonly elapsedMs: number };

const options = JSON.parse(process.argv[2] ?? "") as ChainWorkerOptions;
const { atOnce } = options;
const url = new URL(options.url);

/** With a database, each call is claimed before it is sent and its answer is kept, in two statements as one writes them by hand. */
async function openSdk(): Promise<(id: number) => Promise<string>> {
  const { connectionString } = options;
  const client = new Client({ name: "worker", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(url));
  const pool = connectionString ? new Pool({ connectionString }) : undefined;
  await pool?.query("create table if not exists by_hand (key text primary key, value text)");
  const call = async (name: string, args: Record<string, unknown>) => {
    const key = JSON.stringify([name, args]);
    const claim = "insert into by_hand values ($1, null) on conflict do nothing returning 1";
    const claimed = await pool?.query(claim, [key]);
    if (claimed?.rows.length === 0) throw new Error("It was made before.");
    const result = await client.callTool({ name, arguments: args });
    const keep = "update by_hand set value = $2 where key = $1";
    await pool?.query(keep, [key, JSON.stringify(result)]);
    return result;
  };
  return async (id) => {
    try {
      const ordered = await call("order", { id });
      const { tool, arguments: args } = Object(ordered._meta?.nextTool);
      await call(tool, args);
      return "complete";
    } catch {
      return "outcome-unknown";
    }
  };
}

async function openHost(): Promise<(id: number) => Promise<string>> {
  const { connectionString, aheadMs, isOnce } = options;
  const now = performance.now.bind(performance);
  performance.now = () => now() + aheadMs;
  let store: Store | undefined;
  if (connectionString) store = createPostgresStore(new Pool({ connectionString }));
  const host = await createHost({
    servers: { shop: http(url) },
    ...(store && { store }),
  });
  return async (id) => {
    const request = { tool: "shop.order", arguments: { id } };
    const { ended, error } = await host.run(request, isOnce ? { key: `order-${id}` } : {});
    return error?.code ?? ended;
  };
}

const runChain = await (options.by === "sdk" ? openSdk() : openHost());
const print = (line: Line) => process.stdout.write(`${JSON.stringify(line)}\n`);
for (let at = 0; at < options.ids.length; at += atOnce) {
  const startMs = performance.now();
  const ids = options.ids.slice(at, at + atOnce);
  await Promise.all(ids.map(async (id) => print([id, await runChain(id)])));
  print({ elapsedMs: performance.now() - startMs });
}
process.stdout.write("", () => process.exit(0));
