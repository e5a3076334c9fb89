import type {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  Transport,
} from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import manifest from "../../package.json" with { type: "json" };
import { httpStatus, reasonOf } from "../call/call-error.ts";
import { untilAborted, withOwnSignal } from "../call/until-aborted.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import type { ConnectOptions } from "../host/host-options.ts";
import { plainLine, quoted, shorten } from "../json/plain-text.ts";
import type { McpClientLike } from "../servers/to-port.ts";
import type { Protocol } from "./http.ts";

/** The client of an MCP SDK. The types are those of v2: what is used here is the same in v1. */
export interface Sdk {
  readonly isV2: boolean;
  readonly Client: typeof Client;
  readonly StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  /** The transport that preceded Streamable HTTP. */
  readonly SSEClientTransport: typeof SSEClientTransport;
}

/** Loads SDK v2 if it is installed, or else v1. Rejects with `invalid-options` if neither can be loaded. */
export async function loadSdk(): Promise<Sdk> {
  let cause: unknown;
  // Bundlers accept a missing SDK only if the `import` is in a `try` of the same function.
  try {
    return { isV2: true, ...(await import("@modelcontextprotocol/client")) };
  } catch (failed) {
    cause = failed;
  }
  try {
    const parts = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      import("@modelcontextprotocol/sdk/client/sse.js"),
    ]);
    return Object.assign({ isV2: false }, ...parts) as unknown as Sdk;
  } catch {
    throw noSdk(cause);
  }
}

/** Loads the transport for programs. Rejects with `invalid-options` in pages and workers, where `browser` in our package.json leaves it out. */
export async function loadStdio({ isV2 }: Sdk): Promise<typeof StdioClientTransport> {
  try {
    const { StdioClientTransport: Transport } = isV2
      ? await import("@modelcontextprotocol/client/stdio")
      : await import("@modelcontextprotocol/sdk/client/stdio.js");
    if (Transport) return Transport as typeof StdioClientTransport;
  } catch (failed) {
    throw noSdk(failed);
  }
  throw invalidOptions(
    "stdio() starts a program, which only Node can. Reach the server by its address: http(url).",
  );
}

function noSdk(cause: unknown): ToolrailError {
  // A bundle may hold the SDK, and fail for another reason.
  const [why = ""] = reasonOf(cause).split("\n");
  const message = `@toolrail/core/connect needs a client of the MCP SDK, and none can be loaded (${plainLine(shorten(why, 200))}): npm install @modelcontextprotocol/client`;
  return new ToolrailError("invalid-options", message, { cause });
}

interface ClientParts extends ConnectOptions {
  readonly transport: Transport & Partial<Pick<StreamableHTTPClientTransport, "terminateSession">>;
  readonly protocol: Protocol | undefined;
  /** Releases the transport after a failed connection. Default: closes it. */
  giveUp?(): Promise<void>;
}

/** Connects a client of the SDK. Releases its transport if that fails. */
export async function connectClient(sdk: Sdk, parts: ClientParts): Promise<McpClientLike> {
  const { transport, signal, elicitation, protocol } = parts;
  const { giveUp = () => transport.close() } = parts;
  const capabilities = elicitation ? { elicitation: { form: {}, url: {} } } : {};
  const info = { name: "toolrail", version: manifest.version };
  const options = { capabilities, ...negotiation(sdk, protocol) };
  const client = new sdk.Client(info, options);
  const notified = watchNotifications(transport);
  try {
    signal.throwIfAborted();
    // The host limits the time of a connection: see `limits.callTimeoutMs`.
    const connecting = client.connect(transport, { signal, timeout: LONGEST_MS });
    await untilAborted(connecting, signal);
  } catch (cause) {
    await giveUp().catch(() => {});
    throw cause;
  }
  const close = client.close.bind(client);
  return Object.assign(client, {
    /** Sends pending notifications, such as a cancellation, ends the session, and closes the connection. */
    async close() {
      const drain = () => notified().then(() => transport.terminateSession?.());
      await withOwnSignal({ timeoutMs: DRAIN_MS }, drain).catch(() => {});
      await close();
    },
  });
}

const LONGEST_MS = 2_147_483_647;

/** The longest time to wait for the last messages of a connection that is closed. */
const DRAIN_MS = 1_000;

function negotiation({ isV2 }: Sdk, protocol: Protocol = "2025-11-25"): object {
  if (protocol === "2025-11-25" || (protocol === "auto" && !isV2)) return {};
  if (isV2) {
    return { versionNegotiation: { mode: protocol === "auto" ? "auto" : { pin: protocol } } };
  }
  throw invalidOptions(
    `The option \`protocol\` is "${protocol}", which only SDK v2 supports: npm install @modelcontextprotocol/client`,
  );
}

/** Returns a function that waits for the notifications that are being sent. */
function watchNotifications(transport: Transport): () => Promise<unknown> {
  const send = transport.send.bind(transport);
  let notified: Promise<unknown> = Promise.resolve();
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (!("id" in message)) notified = Promise.allSettled([notified, sent]);
    return sent;
  };
  return () => notified;
}

/** Describes why a server could not be connected, from the errors of all transports that were tried. */
export function describeFailure(failures: readonly unknown[]): string {
  const [cause] = failures;
  const [first, second] = failures.map((one) => httpStatus(one) ?? messageOf(one));
  if (ToolrailError.isInstance(cause, "timeout")) return `did not answer: ${messageOf(cause)}`;
  if (second !== undefined) {
    return `speaks neither Streamable HTTP (${first}) nor HTTP with SSE (${second}); check the path of the URL`;
  }
  if (typeof first !== "number") return `cannot be connected: ${first}`;
  const reason = messageOf(cause);
  return `cannot be connected: it answered ${first}${reason === "" ? "" : ` (${reason})`}`;
}

/** Returns the message of the innermost cause, since outer ones are vague, such as `fetch failed`. */
function messageOf(cause: unknown): string {
  const { name, errors, cause: inner } = Object(cause) as AggregateError;
  const next = errors?.[0] ?? inner;
  if (next instanceof Error) return messageOf(next);
  if (name === "ZodError" || name === "SyntaxError") {
    return "its answer is not an MCP message (is this the address of an MCP server?)";
  }
  const text = reasonOf(cause).replace(PREFIXES, "");
  return quoted(text.replace(/\.$/, "")).slice(0, 500);
}

const PREFIXES = /^(MCP error -?\d+: |Streamable HTTP error: |Error POSTing to endpoint: ?)+/;
