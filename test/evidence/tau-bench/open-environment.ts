import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost, type Host, type McpPort } from "@toolrail/core";
import * as z from "zod";
import { countRounds, type Rounds } from "./count-rounds.ts";

export type Domain = "retail" | "airline";

/** A task of the benchmark: what its user wants, and the calls that its authors hold for right. */
export interface Task {
  readonly instruction: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: Record<string, unknown> }[];
}

/** An environment of the benchmark behind an MCP server of its own process. */
export interface Environment extends AsyncDisposable {
  readonly tasks: readonly Task[];
  /** The policy that the benchmark gives its agents. */
  readonly system: string;
  readonly rounds: Rounds;
  /** A host over the server. */
  openHost(options?: { readonly references?: true }): Promise<Host>;
  reset(): Promise<void>;
  /** A hash of all its data. */
  state(): Promise<string>;
}

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const task = z.object({ instruction: z.string(), calls: z.array(call) });
const SERVER = fileURLToPath(new URL("environment.py", import.meta.url));

/** Starts the server with Python and connects to it. `clone` is the folder of a clone of sierra-research/tau-bench. */
export async function openEnvironment(clone: string, domain: Domain): Promise<Environment> {
  const client = new Client({ name: "toolrail-evidence", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: "python3", args: [SERVER, clone, domain] }),
  );
  const ask = <Schema extends z.ZodObject>(method: string, schema: Schema) =>
    client.request({ method: `evidence/${method}` } as never, schema as never) as Promise<
      z.infer<Schema>
    >;
  const { tasks, system } = await ask(
    "tasks",
    z.object({ tasks: z.array(task), system: z.string() }),
  );
  const rounds = countRounds(toPort(client));
  return {
    tasks,
    system,
    rounds,
    openHost: (options) => createHost({ servers: { [domain]: rounds.port }, ...options }),
    reset: async () => void (await ask("reset", z.object({}))),
    state: async () => (await ask("state", z.object({ sha256: z.string() }))).sha256,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function toPort(client: Client): McpPort {
  const anything = z.looseObject({});
  return {
    list: () => client.request({ method: "tools/list" }, anything),
    call: ({ name, arguments: args }) =>
      client.request({ method: "tools/call", params: { name, arguments: args } }, anything),
  };
}
