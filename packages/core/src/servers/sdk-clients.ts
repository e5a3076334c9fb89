import type { McpPort, PortOptions } from "../call/mcp-port.ts";
import { withOwnSignal } from "../call/own-signal.ts";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { parameterHeaders } from "../schema/header-parameters.ts";
import { hearProgress, type MessageTransport } from "./ai-sdk-messages.ts";
import { type ErrorSource, explainErrors } from "./client-errors.ts";
import { type Answer, type AskedClient, answerQuestions } from "./client-questions.ts";
import { isModern, listenForTools } from "./listen-tools.ts";
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
export function toPort(
  server: string,
  option: ServerOption,
  { answer }: { readonly answer: Answer },
): McpPort {
  const described: DescribedClient =
    Object(option) === option && "client" in option ? option : { client: option as McpPort };
  const { client, kind, shared } = described;
  const port = isPort(client) ? client : toClientPort(client, { kind, answer });
  if (!port) {
    const what = has(client, "then") ? "a promise: await it first" : kindText(client);
    const message =
      `Unsupported MCP client for server "${server}" (${what}). Pass a connected Client of ` +
      "@modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, " +
      "an McpPort, { client, kind } for a wrapped client, or a function that connects one of these.";
    throw new ToolrailError("unknown-client", message);
  }
  return shared ? Object.create(port, { close: { value: undefined } }) : port;
}

function isPort(client: McpClientLike | McpPort): client is McpPort {
  return has(client, "list") && has(client, "call");
}

function toClientPort(
  client: McpClientLike,
  { kind = recogniseKind(client), answer }: { kind: ClientKind | undefined; answer: Answer },
): McpPort | undefined {
  if (kind === undefined) return undefined;
  const port =
    kind === "ai-sdk"
      ? aiSdkPort(client as unknown as AiSdkClient, answer)
      : sdkPort(client as unknown as SdkClient, { kind, answer });
  const checked = withoutLostHeaders(port, kind === "sdk-v2");
  return { ...checked, close: async () => void (await client.close?.()) };
}

function recogniseKind(client: McpClientLike): ClientKind | undefined {
  if (!has(client, "request")) return undefined;
  if (has(client, "toolsFromDefinitions")) return "ai-sdk";
  if (!has(client, "setNotificationHandler")) return undefined;
  return has(client, "getProtocolEra") ? "sdk-v2" : "sdk-v1";
}

function kindText(client: unknown): string {
  const isObject = Object(client) === client;
  return isObject
    ? "an object of an unknown kind"
    : `${JSON.stringify(client)}, which is not a client`;
}

function has(client: unknown, name: string): boolean {
  return typeof (client as JsonObject | undefined)?.[name] === "function";
}

type Send = (
  request: { readonly method: string; readonly params: JsonObject },
  options: PortOptions,
) => Promise<unknown>;

function toRequests(send: Send): Pick<McpPort, "list" | "call" | "request"> {
  const metaOf = (meta: JsonObject | undefined) => meta && { _meta: meta };
  return {
    list({ cursor, meta }, options) {
      const params = { ...(cursor !== undefined && { cursor }), ...metaOf(meta) };
      return send({ method: "tools/list", params }, options);
    },
    call({ meta, ...params }, options) {
      return send({ method: "tools/call", params: { ...params, ...metaOf(meta) } }, options);
    },
    request({ method, params, meta }, options) {
      return send({ method, params: { ...params, ...metaOf(meta) } }, options);
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

/** The schema of the request, as far as SDK v1 reads it. */
const ELICITATION_SCHEMA = { ...ANY, shape: { method: { value: "elicitation/create" } } };

interface SdkClient extends AskedClient, ErrorSource {
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
  const key = isV2 ? "elicitation/create" : ELICITATION_SCHEMA;
  const questions = answerQuestions(client, { key, answer });
  const requests = toRequests(({ method, params }, options) => {
    const {
      signal,
      timeoutMs,
      totalTimeoutMs,
      onProgress = () => {},
      inputSchema,
      headers,
    } = options;
    const allowInputRequired = method === "tools/call" && questions.mayAsk();
    const request = {
      method,
      params: allowInputRequired ? questions.withCapability(params) : params,
    };
    const send = (own?: AbortSignal) =>
      explained(
        client.request(request, ANY, {
          allowInputRequired,
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
  });
  const isOpen = () => !("transport" in client) || client.transport !== undefined;
  const changed = isV2 ? TOOLS_CHANGED : TOOLS_CHANGED_SCHEMA;
  const watch: McpPort["watch"] = (listener) => watchTools({ client, key: changed }, listener);
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

interface AiSdkClient {
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
  const requests = toRequests(({ method, params }, options) => {
    const { signal, timeoutMs, totalTimeoutMs, onProgress, inputSchema } = options;
    const send = (own: AbortSignal, progressToken: string) => {
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
          async (token) => send(own, token),
        ),
      ),
    );
  });
  const isOpen = () => client.isClosed !== true;
  return { ...requests, mayAsk, isOpen, instructions: () => client.instructions };
}
