import type { McpPort, PortOptions } from "../call/mcp-port.ts";
import { withOwnSignal } from "../call/own-signal.ts";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { parameterHeaders } from "../schema/header-parameters.ts";
import { type ErrorSource, explainErrors } from "./client-errors.ts";
import { isModern, type ListeningClient, listenForTools } from "./listen-tools.ts";
import { withoutLostHeaders } from "./request-headers.ts";

/**
 * Any MCP client that Toolrail can use: `Client` of `@modelcontextprotocol/sdk` (v1) or of
 * `@modelcontextprotocol/client` (v2), and the client of `@ai-sdk/mcp`. Structural: none is imported.
 */
export interface McpClientLike {
  listTools(...parameters: never[]): PromiseLike<{ readonly tools: readonly unknown[] }>;
  close?(): PromiseLike<void>;
}

export type ClientKind = "sdk-v1" | "sdk-v2" | "ai-sdk";

/** A client or a port, with what the host cannot see for itself. */
interface DescribedClient {
  readonly client: McpClientLike | McpPort;
  /** For a wrapped client whose kind cannot be recognised. */
  readonly kind?: ClientKind;
  /** True keeps the client open on `host.close()`, for clients that others use as well. */
  readonly shared?: boolean;
}

export type ServerOption = McpClientLike | McpPort | DescribedClient;

/** Puts a port in front of a client. Throws `unknown-client` where its kind cannot be told. */
export function toPort(server: string, option: ServerOption): McpPort {
  const described: DescribedClient = "client" in option ? option : { client: option };
  const { client, shared } = described;
  const port = isPort(client) ? client : toClientPort(client, described.kind);
  if (!port) {
    const message =
      `Unsupported MCP client for server "${server}". Pass a connected Client of ` +
      "@modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, " +
      "an McpPort, or { client, kind } for a wrapped client.";
    throw new ToolrailError("unknown-client", message);
  }
  return shared ? Object.create(port, { close: { value: undefined } }) : port;
}

function isPort(client: McpClientLike | McpPort): client is McpPort {
  return has(client, "list") && has(client, "call");
}

function toClientPort(client: McpClientLike, kind = recogniseKind(client)): McpPort | undefined {
  if (kind === undefined) return undefined;
  const port =
    kind === "ai-sdk"
      ? aiSdkPort(client as unknown as AiSdkClient)
      : sdkPort(client as unknown as SdkClient, kind);
  const checked = withoutLostHeaders(port, kind === "sdk-v2");
  return { ...checked, close: async () => void (await client.close?.()) };
}

function recogniseKind(client: McpClientLike): ClientKind | undefined {
  if (!has(client, "request")) return undefined;
  if (has(client, "toolsFromDefinitions")) return "ai-sdk";
  if (!has(client, "setNotificationHandler")) return undefined;
  return has(client, "getProtocolEra") ? "sdk-v2" : "sdk-v1";
}

function has(client: unknown, name: string): boolean {
  return typeof (client as JsonObject | undefined)?.[name] === "function";
}

type Send = (
  request: { readonly method: string; readonly params: JsonObject },
  options: PortOptions,
) => Promise<unknown>;

function toRequests(send: Send): Pick<McpPort, "list" | "call"> {
  const metaOf = (meta: JsonObject | undefined) => meta && { _meta: meta };
  return {
    list({ cursor, meta }, options) {
      const params = { ...(cursor !== undefined && { cursor }), ...metaOf(meta) };
      return send({ method: "tools/list", params }, options);
    },
    call({ meta, ...params }, options) {
      return send({ method: "tools/call", params: { ...params, ...metaOf(meta) } }, options);
    },
  };
}

/** Accepts any result, for the host to judge: in the forms of zod 3 (SDK v1, `@ai-sdk/mcp`) and Standard Schema. */
const ANY = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
  safeParseAsync: async (value: unknown) => ({ success: true, data: value }),
  "~standard": { version: 1, vendor: "toolrail", validate: (value: unknown) => ({ value }) },
};

const TOOLS_CHANGED = "notifications/tools/list_changed";
/** The schema of the notification, as far as SDK v1 reads it. */
const TOOLS_CHANGED_SCHEMA = { ...ANY, shape: { method: { value: TOOLS_CHANGED } } };

interface SdkClient extends ListeningClient, ErrorSource {
  request(request: object, schema: unknown, options: object): Promise<unknown>;
  setNotificationHandler(key: unknown, handler: NotificationHandler): void;
  removeNotificationHandler(method: string): void;
  /** Both SDKs (1.32.2, 2.4.0) keep their handlers in this private map, and offer no way to read it. */
  readonly _notificationHandlers?: Map<string, NotificationHandler>;
  /** `undefined` when the connection is closed. */
  readonly transport?: unknown;
}

type NotificationHandler = (...notification: unknown[]) => unknown;

function sdkPort(client: SdkClient, kind: ClientKind): McpPort {
  const explained = explainErrors(client);
  const requests = toRequests(
    (
      request,
      { signal, timeoutMs, totalTimeoutMs, onProgress = () => {}, inputSchema, headers },
    ) => {
      const send = (own?: AbortSignal) =>
        explained(
          client.request(request, ANY, {
            // SDK v2 adds these of itself in `callTool` alone. In a browser, CORS would refuse them.
            headers:
              inputSchema && isModern(client) && !("document" in globalThis)
                ? { ...headers, ...parameterHeaders(inputSchema, request.params.arguments) }
                : headers,
            timeout: timeoutMs,
            maxTotalTimeout: totalTimeoutMs,
            resetTimeoutOnProgress: true,
            // Without a listener the server is given no token, and its progress would not count as a sign of life.
            onprogress: onProgress,
            signal: own,
          }),
        );
      return signal ? withOwnSignal({ signal }, send) : send();
    },
  );
  const isOpen = () => !("transport" in client) || client.transport !== undefined;
  const key = kind === "sdk-v2" ? TOOLS_CHANGED : TOOLS_CHANGED_SCHEMA;
  return { ...requests, isOpen, watch: (listener) => watchTools({ client, key }, listener) };
}

/** The clients hold one handler a notification: the application's own must go on being called. */
function watchTools(
  { client, key }: { readonly client: SdkClient; readonly key: unknown },
  listener: () => void,
): () => void {
  const { _notificationHandlers: map } = client;
  const handlers = map instanceof Map ? map : undefined;
  const previous = handlers?.get(TOOLS_CHANGED);
  const both: NotificationHandler = (...notification) => {
    listener();
    return previous?.(...notification);
  };
  if (previous) handlers?.set(TOOLS_CHANGED, both);
  else client.setNotificationHandler(key, listener);
  const own = handlers?.get(TOOLS_CHANGED);
  const aborter = new AbortController();
  void listenForTools(client, { onOpen: listener, signal: aborter.signal });
  return () => {
    aborter.abort();
    if (own === undefined || handlers?.get(TOOLS_CHANGED) !== own) return;
    if (previous) handlers.set(TOOLS_CHANGED, previous);
    else client.removeNotificationHandler(TOOLS_CHANGED);
  };
}

interface AiSdkClient {
  request(parameters: object): Promise<unknown>;
  toolsFromDefinitions?(definitions: object, options: object): unknown;
  /** Private in 1.0.101 and 2.0.99, which offer no other way to know. */
  readonly isClosed?: boolean;
}

/** This client passes no notifications on: `host.refresh()` is the way to a changed list. */
function aiSdkPort(client: AiSdkClient): McpPort {
  const requests = toRequests((request, { signal, timeoutMs, inputSchema }) =>
    withOwnSignal({ signal, timeoutMs }, (own) => {
      // It sends `Mcp-Param-*` headers for tools whose definitions it has seen, and takes none with a request.
      const tools = inputSchema ? [{ name: request.params.name, inputSchema }] : [];
      if (inputSchema) client.toolsFromDefinitions?.({ tools }, { schemas: {} });
      const options = { signal: own, abortSignal: own };
      return client.request({ request, resultSchema: ANY, options });
    }),
  );
  return { ...requests, isOpen: () => client.isClosed !== true };
}
