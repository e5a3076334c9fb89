import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { type ServerOption, ToolrailError } from "@toolrail/core";
import { withOwnSignal } from "@toolrail/core/adapter";
import manifest from "../../package.json" with { type: "json" };
import { describeConnectError, isNotStreamable } from "./connect-error.ts";
import { createProcessTransport, type ProcessTransport } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/** How servers are connected. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Headers of every request, over those of the target. */
  readonly headers: Headers;
  /** The revision of MCP. Default: 2025-11-25, or what the server speaks before that. */
  readonly protocol?: string | undefined;
  /** The user can be asked by the server in mid-call. */
  readonly asks: boolean;
  /** Sees what the server writes to its standard error, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** A transport, which may be to a program, or have a session to end. */
type AnyTransport = Transport &
  Partial<ProcessTransport & Pick<StreamableHTTPClientTransport, "terminateSession">>;

type Connection = Awaited<ReturnType<typeof connect>>;

export type OpenServers = Awaited<ReturnType<typeof openServers>>;

/** Connects all servers at once. Never rejects: a server that fails does not stop the others. */
export async function openServers(targets: readonly ServerTarget[], options: ConnectOptions) {
  const routes = targets.map((target) => ({ target, transports: transportsOf(target, options) }));
  const killAll = () => {
    for (const { transports } of routes) for (const transport of transports) transport.kill?.();
  };
  process.once("exit", killAll);
  const connections = new Map<string, Connection>();
  const opened = routes.map(async ({ target, transports }): Promise<[string, ServerOption]> => {
    const failures: unknown[] = [];
    for (const transport of transports) {
      try {
        const connection = await connect(transport, options);
        connections.set(target.name, connection);
        return [target.name, connection.client];
      } catch (cause) {
        failures.push(cause);
        if (!isNotStreamable(cause)) break;
      }
    }
    const program = transports[0]?.state?.();
    const message = describeConnectError(target, { ...options, failures, program });
    const [cause] = failures;
    const fail = () => Promise.reject(new ToolrailError("server-unavailable", message, { cause }));
    return [target.name, { list: fail, call: fail }];
  });
  return {
    /** For `createHost`. A server that could not be connected answers every request with the reason. */
    options: Object.fromEntries(await Promise.all(opened)),
    /** How the program of a server fares; undefined for one elsewhere or not connected. */
    state: (server: string) => connections.get(server)?.state(),
    async close() {
      await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
      process.removeListener("exit", killAll);
    },
  };
}

/** The ways to reach a server, the first to be tried first. */
function transportsOf(target: ServerTarget, options: ConnectOptions): AnyTransport[] {
  if (target.type === "stdio") return [createProcessTransport(target, options.onStderr)];
  const headers = new Headers(target.headers);
  for (const [name, value] of options.headers) headers.set(name, value);
  const request = { requestInit: { headers } };
  const sse = new SSEClientTransport(target.url, request);
  return target.type === "sse"
    ? [sse]
    : [new StreamableHTTPClientTransport(target.url, request), sse];
}

/** How long a closing connection waits for its last messages. */
const DRAIN_MS = 1_000;

async function connect(
  transport: AnyTransport,
  { timeoutMs, signal, protocol, asks }: ConnectOptions,
) {
  const capabilities = asks ? { elicitation: { form: {} } } : {};
  const modern = protocol === "2026-07-28" && { versionNegotiation: { mode: { pin: protocol } } };
  const client = new Client(
    { name: "toolrail", version: manifest.version },
    { ...modern, capabilities },
  );
  const send = transport.send.bind(transport);
  let notified: Promise<unknown> = Promise.resolve(); // A cancellation, say.
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (!("id" in message)) notified = Promise.allSettled([notified, sent]);
    return sent;
  };
  try {
    await withOwnSignal({ signal, timeoutMs }, (own) =>
      client.connect(transport, { timeout: timeoutMs, signal: own }),
    );
  } catch (cause) {
    await transport.close().catch(() => {});
    throw cause;
  }
  return {
    client,
    state: () => transport.state?.(),
    /** Sends what is still to be sent, then ends the session, and the program where there is one. */
    async close() {
      const drain = () => notified.then(() => transport.terminateSession?.());
      await withOwnSignal({ timeoutMs: DRAIN_MS }, drain).catch(() => {});
      await client.close();
    },
  };
}
