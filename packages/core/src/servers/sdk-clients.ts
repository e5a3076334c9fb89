import type { McpPort, PortOptions, ResourceRequest } from "../call/mcp-port.ts";
import { withOwnSignal } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { parameterHeaders } from "../schema/header-parameters.ts";
import { hearProgress, type MessageTransport } from "./ai-sdk-messages.ts";
import { type ErrorSource, explainErrors } from "./client-errors.ts";
import { type Answer, type AskedClient, answerQuestions } from "./client-questions.ts";
import { isModern, listenForTools } from "./listen-tools.ts";
import { refuseLostHeaders } from "./request-headers.ts";
import { type SendingClient, tellRequest } from "./tell-request.ts";

/**
 * Any MCP client that Toolrail can use: `Client` of `@modelcontextprotocol/sdk` (v1) or of
 * `@modelcontextprotocol/client` (v2), and the client of `@ai-sdk/mcp`. Structural: none is imported.
 */
export interface McpClientLike {
  listTools(...parameters: never[]): PromiseLike<{ readonly tools: readonly unknown[] }>;
  close?(): PromiseLike<void>;
}

/** Which SDK a client is of: `@modelcontextprotocol/sdk`, `@modelcontextprotocol/client` or `@ai-sdk/mcp`. */
export type ClientKind = "sdk-v1" | "sdk-v2" | "ai-sdk";

/** A client or a port, with what the host cannot see for itself. @inline */
interface DescribedClient {
  readonly client: McpClientLike | McpPort;
  /** For a wrapped client whose kind cannot be recognised. */
  readonly kind?: ClientKind;
  /** True keeps the client open on `host.close()`, for clients that others use as well. */
  readonly shared?: boolean;
}

/** A server of a host: an MCP client, a port, or `{ client, kind, shared }` with what the host cannot see for itself. */
export type ServerOption = McpClientLike | McpPort | DescribedClient;

/** Puts a port in front of a client. Throws `unknown-client` where its kind cannot be told. */
export function toPort(
  server: string,
  option: ServerOption,
  { answer }: { readonly answer: Answer },
): McpPort {
  const described: DescribedClient =
    Object(option) === option && "client" in option ? option : { client: option as McpPort };
  const { client, kind = recogniseKind(client), shared } = described;
  if (!kind) throw unknownClient(server, client);
  const port = portOf(client, { kind, answer });
  return shared ? Object.create(port, { close: { value: undefined } }) : port;
}

function portOf(
  client: McpClientLike | McpPort,
  { kind, answer }: { readonly kind: ClientKind | "port"; readonly answer: Answer },
): McpPort {
  if (kind === "port") return client as McpPort;
  if (kind === "ai-sdk") return aiSdkPort(client as unknown as AiSdkClient, answer);
  return sdkPort(client as unknown as SdkClient, { kind, answer });
}

function recogniseKind(client: McpClientLike | McpPort): ClientKind | "port" | undefined {
  if (has(client, "list") && has(client, "call")) return "port";
  if (!has(client, "request")) return undefined;
  if (has(client, "toolsFromDefinitions")) return "ai-sdk";
  if (!has(client, "setNotificationHandler")) return undefined;
  return has(client, "getProtocolEra") ? "sdk-v2" : "sdk-v1";
}

function unknownClient(server: string, client: unknown): ToolrailError {
  const isObject = Object(client) === client;
  const kind = isObject
    ? "an object of an unknown kind"
    : `${JSON.stringify(client)}, which is not a client`;
  const what = has(client, "then") ? "a promise: await it first" : kind;
  const message =
    `Unsupported MCP client for server "${server}" (${what}). Pass a connected Client of ` +
    "@modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, " +
    "an McpPort, { client, kind } for a wrapped client, or a function that connects one of these.";
  return new ToolrailError("unknown-client", message);
}

function has(client: unknown, name: string): boolean {
  return typeof (client as JsonObject | undefined)?.[name] === "function";
}

interface AnyRequest extends Omit<ResourceRequest, "method"> {
  readonly method: string;
}

type Send = (
  request: Omit<AnyRequest, "meta">,
  options: PortOptions,
) => Promise<unknown> | undefined;

/** The requests of a client, each refused with headers that it would not send. */
function toRequests(
  client: Pick<McpClientLike, "close">,
  { takesHeaders, send }: { readonly takesHeaders: boolean; readonly send: Send },
): Pick<McpPort, "list" | "call" | "request" | "close"> {
  const ask = async ({ method, params, meta }: AnyRequest, options: PortOptions) => {
    refuseLostHeaders(options, takesHeaders);
    return send({ method, params: meta ? { ...params, _meta: meta } : params }, options);
  };
  return {
    list({ cursor, meta }, options) {
      const params = cursor === undefined ? {} : { cursor };
      return ask({ method: "tools/list", params, meta }, options);
    },
    call: ({ meta, ...params }, options) => ask({ method: "tools/call", params, meta }, options),
    request: ask,
    close: async () => void (await client.close?.()),
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

interface SdkClient extends AskedClient, ErrorSource, SendingClient, Pick<McpClientLike, "close"> {
  request(request: object, schema: unknown, options: object): Promise<unknown>;
  setNotificationHandler(key: unknown, handler: NotificationHandler): void;
  removeNotificationHandler(method: string): void;
  /** Both SDKs (1.32.2, 2.4.0) keep their handlers in this private map, and offer no way to read it. */
  readonly _notificationHandlers?: Map<string, NotificationHandler>;
  /** `undefined` when the connection is closed. */
  readonly transport?: unknown;
  getInstructions?(): string | undefined;
}

type NotificationHandler = (...notification: unknown[]) => unknown;

function sdkPort(
  client: SdkClient,
  { kind, answer }: { readonly kind: ClientKind; readonly answer: Answer },
): McpPort {
  const explained = explainErrors(client);
  const isV2 = kind === "sdk-v2";
  /** A method as the SDK is told it: SDK v1 reads it off the schema of the message. */
  const keyOf = (method: string) =>
    isV2 ? method : { ...ANY, shape: { method: { value: method } } };
  const questions = answerQuestions(client, { key: keyOf("elicitation/create"), answer });
  const send: Send = ({ method, params }, options) => {
    const { timeoutMs, totalTimeoutMs, onProgress = () => {}, inputSchema, headers } = options;
    const allowInputRequired = method === "tools/call" && questions.mayAsk();
    const sent = allowInputRequired ? questions.withCapability(params) : params;
    // SDK v2 adds these of itself in `callTool` alone. In a browser, CORS would refuse them.
    const marked = inputSchema && isModern(client) && !("document" in globalThis);
    const ask = (signal?: AbortSignal) =>
      explained(
        client.request({ method, params: sent }, ANY, {
          allowInputRequired,
          headers: marked
            ? { ...headers, ...parameterHeaders(inputSchema, sent.arguments) }
            : headers,
          timeout: timeoutMs,
          maxTotalTimeout: totalTimeoutMs,
          resetTimeoutOnProgress: true,
          // Without a listener the server is given no token, and its progress would not count as a sign of life.
          onprogress: onProgress,
          signal,
        }),
      );
    const { signal, onRequest } = options;
    const tell = (own?: AbortSignal) => tellRequest({ client, onRequest }, () => ask(own));
    return signal ? withOwnSignal({ signal }, tell) : tell();
  };
  const requests = toRequests(client, { send, takesHeaders: isV2 });
  const isOpen = () => !("transport" in client) || client.transport !== undefined;
  const watch: McpPort["watch"] = (listener) =>
    watchTools({ client, key: keyOf(TOOLS_CHANGED) }, listener);
  const instructions = () => client.getInstructions?.();
  return { ...requests, isOpen, mayAsk: questions.mayAsk, instructions, watch };
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

interface AiSdkClient extends SendingClient, Pick<McpClientLike, "close"> {
  request(parameters: object): Promise<unknown>;
  toolsFromDefinitions?(definitions: object, options: object): unknown;
  /** All private in 1.0.101 and 2.0.99, which offer no other way: 1.0.101 has neither `requestOnce` nor `protocolEra`. */
  readonly isClosed?: boolean;
  readonly transport?: MessageTransport;
  readonly protocolEra?: string;
  readonly clientCapabilities?: JsonObject;
  elicitationRequestHandler?: (request: { readonly params?: unknown }) => Promise<unknown>;
  requestOnce?(parameters: object): Promise<unknown>;
  readonly instructions?: string;
}

/** This client passes no changes of the list on: `host.refresh()` is the way to them. */
function aiSdkPort(client: AiSdkClient, answer: Answer): McpPort {
  const isAsked = !client.elicitationRequestHandler && client.clientCapabilities?.elicitation;
  if (isAsked) client.elicitationRequestHandler = ({ params }) => answer(params);
  const mayAsk = () => Boolean(isAsked && client.requestOnce) && client.protocolEra === "modern";
  const withProgress = hearProgress(client.transport);
  const send: Send = ({ method, params }, options) => {
    const { signal, timeoutMs, totalTimeoutMs, onProgress, inputSchema, onRequest } = options;
    const ask = (own: AbortSignal, progressToken: string) => {
      // It sends `Mcp-Param-*` headers for tools whose definitions it has seen, and takes none with a request.
      const tools = inputSchema ? [{ name: params.name, inputSchema }] : [];
      if (inputSchema) client.toolsFromDefinitions?.({ tools }, { schemas: {} });
      const meta = { progressToken, ...(params._meta as JsonObject | undefined) };
      const request = { method, params: { ...params, _meta: meta } };
      const asked = { request, resultSchema: ANY, options: { signal: own, abortSignal: own } };
      if (method !== "tools/call" || !mayAsk()) return client.request(asked);
      return client.requestOnce?.({ ...asked, allowInputRequired: true });
    };
    return withOwnSignal({ signal, timeoutMs: totalTimeoutMs }, (whole) =>
      withOwnSignal({ signal: whole, timeoutMs }, (own, restart) =>
        withProgress(
          (progress) => {
            restart();
            onProgress?.(progress);
          },
          async (token) => tellRequest({ client, onRequest }, () => ask(own, token)),
        ),
      ),
    );
  };
  const requests = toRequests(client, { send, takesHeaders: false });
  const isOpen = () => client.isClosed !== true;
  return { ...requests, mayAsk, isOpen, instructions: () => client.instructions };
}
