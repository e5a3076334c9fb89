import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { ToolrailError } from "@toolrail/core";
import { withOwnSignal } from "@toolrail/core/adapter";
import manifest from "../../package.json" with { type: "json" };
import { describeConnectError, isNotStreamable } from "./connect-error.ts";
import { createProcessTransport, type ProcessTransport } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/** How a server is connected. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Headers of every request, over those of the target. */
  readonly headers: Readonly<Record<string, string>>;
  /** The revision of MCP. Default: 2025-11-25, or what the server speaks before that. */
  readonly protocol?: string | undefined;
  /** The user can be asked by the server in mid-call. */
  readonly asks: boolean;
  /** Sees what the server writes to its standard error, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** A transport, which may be to a program, or have a session to end. */
export type AnyTransport = Transport &
  Partial<ProcessTransport & Pick<StreamableHTTPClientTransport, "terminateSession">>;

export type Connection = Awaited<ReturnType<typeof connect>>;

/** How long a closing connection waits for its last messages. */
const DRAIN_MS = 1_000;

/** The ways to reach a server, the first to be tried first. */
export function transportsOf(
  target: ServerTarget,
  { headers, onStderr }: ConnectOptions,
): AnyTransport[] {
  if (target.type === "stdio") return [createProcessTransport(target, onStderr)];
  const options = { requestInit: { headers: { ...target.headers, ...headers } } };
  const sse = new SSEClientTransport(target.url, options);
  return target.type === "sse"
    ? [sse]
    : [new StreamableHTTPClientTransport(target.url, options), sse];
}

/** Connects a client. Rejects with `server-unavailable`, which says what is wrong with the server. */
export async function connectServer(
  target: ServerTarget,
  { transports, ...options }: ConnectOptions & { readonly transports: readonly AnyTransport[] },
): Promise<Connection> {
  const failures: unknown[] = [];
  for (const transport of transports) {
    try {
      return await connect(transport, options);
    } catch (cause) {
      failures.push(cause);
      if (!isNotStreamable(cause)) break;
    }
  }
  const [cause, sseCause] = failures;
  const program = transports[0]?.state?.();
  const message = describeConnectError(target, { ...options, cause, sseCause, program });
  throw new ToolrailError("server-unavailable", message, { cause });
}

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
    /** How its program fares; undefined for a server elsewhere. */
    state: () => transport.state?.(),
    /** Sends what is still to be sent, then ends the session, and the program where there is one. */
    async close() {
      const drain = () => notified.then(() => transport.terminateSession?.());
      await withOwnSignal({ timeoutMs: DRAIN_MS }, drain).catch(() => {});
      await client.close();
    },
  };
}
