// Runs all chains of a test at once, in a process of its own, and prints a line when one has ended, and the time of all.
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
  /** Chains that are made before, so that no way is measured with code that the process has not run yet. */
  readonly warmUp: readonly number[];
  /** A chain as code on the client of the SDK, or as a chain of a host. */
  readonly by: "sdk" | "host";
  /** If true, each chain has a key, so that it is made once among all workers. */
  readonly isOnce: boolean;
  /** The database of the host's store. Default: the memory of the process. */
  readonly connectionString?: string;
  /** By how much the clock is ahead of that of other workers. */
  readonly aheadMs: number;
}

/** A line of a worker: how a chain ended (`complete`, or the code of its error), or how long all have taken. */
export type Line = readonly [id: number, end: string] | { readonly elapsedMs: number };

const options = JSON.parse(process.argv[2] ?? "") as ChainWorkerOptions;
const url = new URL(options.url);

async function openSdk(): Promise<(id: number) => Promise<string>> {
  const client = new Client({ name: "worker", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(url));
  return async (id) => {
    try {
      const ordered = await client.callTool({ name: "order", arguments: { id } });
      const { tool, arguments: args } = Object(ordered._meta?.nextTool);
      await client.callTool({ name: tool, arguments: args });
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
const print = (line: Line, done?: () => void) =>
  process.stdout.write(`${JSON.stringify(line)}\n`, done);
await Promise.all(options.warmUp.map(runChain));
const startMs = performance.now();
await Promise.all(options.ids.map(async (id) => print([id, await runChain(id)])));
print({ elapsedMs: performance.now() - startMs }, () => process.exit(0));
