import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolrailError } from "@toolrail/core";
import { untilAborted } from "../until-aborted.ts";
import { VERSION } from "../version.ts";
import { describeConnectError, isNotStreamable } from "./connect-error.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { createProcessTransport, type ProgramState } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/** A connected server. */
export interface Connection {
  readonly client: Client;
  /** How its program fares; undefined for a server elsewhere. */
  state(): ProgramState | undefined;
  /** Sends what is still to be sent, then ends the session, and the program where there is one. */
  close(): Promise<void>;
}

/** How long a closing connection waits for its last messages. */
const DRAIN_MS = 1_000;

/** Connects a client. Rejects with `server-unavailable`, which says what is wrong with the server. */
export async function connectServer(
  target: ServerTarget,
  options: ConnectOptions,
): Promise<Connection> {
  switch (target.type) {
    case "stdio":
      return connectProcess(target, options);
    case "sse":
      return connectHttp(target, options, ["sse"]);
    case "http":
      return connectHttp(target, options, ["http", "sse"]);
  }
}

async function connectProcess(
  target: Extract<ServerTarget, { type: "stdio" }>,
  options: ConnectOptions,
): Promise<Connection> {
  const transport = createProcessTransport(target, options.onStderr);
  options.onStart?.(transport.kill);
  try {
    return await connect(transport, options);
  } catch (cause) {
    throw unavailable(describeConnectError(target, cause, options, transport.state()), cause);
  }
}

async function connectHttp(
  target: Extract<ServerTarget, { type: "http" | "sse" }>,
  options: ConnectOptions,
  ways: readonly ("http" | "sse")[],
): Promise<Connection> {
  const requestInit = { headers: { ...target.headers, ...options.headers } };
  const failures: unknown[] = [];
  for (const way of ways) {
    const transport =
      way === "http"
        ? new StreamableHTTPClientTransport(target.url, { requestInit })
        : new SSEClientTransport(target.url, { requestInit });
    try {
      return await connect(transport as Transport, options);
    } catch (cause) {
      failures.push(cause);
      if (!isNotStreamable(cause)) break;
    }
  }
  const message = describeConnectError(target, failures[0], options, undefined, failures[1]);
  throw unavailable(message, failures[0]);
}

function unavailable(message: string, cause: unknown): ToolrailError {
  return new ToolrailError("server-unavailable", message, { cause });
}

interface AnyTransport extends Transport {
  /** Of a program. */
  state?(): ProgramState;
  /** Of Streamable HTTP. */
  terminateSession?(): Promise<void>;
}

async function connect(
  transport: AnyTransport,
  { timeoutMs, signal }: ConnectOptions,
): Promise<Connection> {
  const client = new Client({ name: "toolrail", version: VERSION });
  const notifications = trackNotifications(transport);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const connecting = client.connect(transport, { timeout: timeoutMs, signal });
    await untilAborted(deadline, connecting);
  } catch (cause) {
    await transport.close().catch(() => {});
    throw cause;
  }
  return {
    client,
    state: () => transport.state?.(),
    async close() {
      const last = AbortSignal.timeout(DRAIN_MS);
      const drained = notifications().then(() => transport.terminateSession?.());
      await untilAborted(last, drained).catch(() => {});
      await client.close();
    },
  };
}

/** Gives the notifications under way (a cancellation, say) as one promise. */
function trackNotifications(transport: Transport): () => Promise<unknown> {
  const pending = new Set<Promise<void>>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (!("id" in message)) {
      const settled = sent.catch(() => {}).finally(() => pending.delete(settled));
      pending.add(settled);
    }
    return sent;
  };
  return () => Promise.all(pending);
}
