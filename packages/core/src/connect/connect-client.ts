import manifest from "../../package.json" with { type: "json" };
import { untilAborted, withOwnSignal } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";
import type { ConnectOptions } from "../host/host-options.ts";
import type { McpClientLike } from "../servers/to-port.ts";
import type { NewClient, SdkClients, SdkTransport } from "./load-sdk.ts";

/** The MCP revision of a connection. `"auto"` negotiates it. */
export type Protocol = "2025-11-25" | "2026-07-28" | "auto";

export interface ClientParts extends ConnectOptions {
  readonly transport: SdkTransport;
  readonly protocol: Protocol | undefined;
  readonly onError?: ((error: Error) => void) | undefined;
  /** Releases the transport after a failed connection. Default: closes it. */
  giveUp?(): Promise<void>;
}

/** Connects a client of the SDK. Releases its transport if that fails. */
export async function connectClient(sdk: SdkClients, parts: ClientParts): Promise<McpClientLike> {
  const { transport, signal, elicitation, protocol, onError } = parts;
  const { giveUp = () => transport.close() } = parts;
  const capabilities = elicitation ? { elicitation: { form: {}, url: {} } } : {};
  const options = { capabilities, ...negotiation(sdk, protocol) };
  const client = new sdk.Client(
    { name: "toolrail", version: manifest.version },
    options,
  ) as NewClient;
  client.onerror = onError;
  const notified = watchNotifications(transport);
  try {
    signal.throwIfAborted();
    const connecting = client.connect(transport, { signal, timeout: LONGEST_MS });
    await untilAborted(connecting, signal);
  } catch (cause) {
    await giveUp().catch(() => {});
    throw cause;
  }
  const close = client.close.bind(client);
  return Object.assign(client as NewClient & McpClientLike, {
    /** Sends pending notifications, such as a cancellation, ends the session, and closes the connection. */
    async close() {
      const drain = () => notified().then(() => transport.terminateSession?.());
      await withOwnSignal({ timeoutMs: DRAIN_MS }, drain).catch(() => {});
      await close();
    },
  });
}

function negotiation({ isV2 }: SdkClients, protocol: Protocol = "2025-11-25"): object {
  if (protocol === "2025-11-25" || (protocol === "auto" && !isV2)) return {};
  if (isV2) {
    return { versionNegotiation: { mode: protocol === "auto" ? "auto" : { pin: protocol } } };
  }
  const message = `The option \`protocol\` is "${protocol}", which only SDK v2 supports: npm install @modelcontextprotocol/client`;
  throw new ToolrailError("invalid-options", message);
}

/** Returns a function that waits for the notifications that are being sent. */
function watchNotifications(transport: SdkTransport): () => Promise<unknown> {
  const send = transport.send.bind(transport);
  let notified: Promise<unknown> = Promise.resolve();
  transport.send = (message, options) => {
    const sent = send(message, options);
    if (!("id" in message)) notified = Promise.allSettled([notified, sent]);
    return sent;
  };
  return () => notified;
}

/** The host limits the time of a connection instead: see `limits.callTimeoutMs`. */
const LONGEST_MS = 2_147_483_647;

/** The longest time to wait for the last messages of a connection that is closed. */
const DRAIN_MS = 1_000;
