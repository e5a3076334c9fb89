import type { McpPort } from "../call/port.ts";
import { rest } from "../call/until-aborted.ts";
import type { JsonObject } from "../json/json.ts";
import { ANY, type Send, shareAnswers, toRequests } from "./client-requests.ts";

/** The members of the clients of both SDKs that are used here. */
export interface SdkClient {
  request(request: object, schema: unknown, options: object): Promise<unknown>;
  close?(): PromiseLike<void>;
  onerror?: ((error: Error) => void) | undefined;
  setRequestHandler(key: unknown, handler: ElicitationHandler): void;
  setNotificationHandler(key: unknown, handler: NotificationHandler): void;
  removeNotificationHandler(method: string): void;
  /** `undefined` when the connection is closed. */
  readonly transport?: { readonly sessionId?: string | undefined } | undefined;
  getInstructions?(): string | undefined;
  /** Only SDK v2 has these members. On MCP 2026-07-28, servers announce changes only to subscribers. */
  getProtocolEra?(): string | undefined;
  getServerCapabilities?(): { readonly tools?: { readonly listChanged?: boolean } } | undefined;
  listen?(
    filter: object,
    options: object,
  ): Promise<{
    readonly honoredFilter: { readonly toolsListChanged?: boolean };
    readonly closed: Promise<unknown>;
  }>;
  /** The application's own subscription: see its client's option `listChanged`. */
  readonly autoOpenedSubscription?: object | undefined;
  /** These are private in both SDKs (1.32.2, 2.4.0), which offer no way to read them. */
  readonly _requestHandlers?: Map<string, unknown>;
  readonly _notificationHandlers?: Map<string, NotificationHandler>;
  readonly _capabilities?: JsonObject & { readonly elicitation?: JsonObject };
}

type NotificationHandler = (...notification: unknown[]) => unknown;

type ElicitationHandler = (
  request: { readonly params?: unknown },
  extra: { readonly signal?: AbortSignal; readonly mcpReq?: { readonly signal?: AbortSignal } },
) => Promise<unknown>;

/** The host ends a request when its time is up. This is the longest time of a JavaScript timer. */
const LONGEST_MS = 2_147_483_647;

/** Puts a port in front of a client of an MCP SDK. */
export function sdkPort(client: SdkClient, { isV2 }: { readonly isV2: boolean }): McpPort {
  const explained = explainErrors(client);
  /** Writes a method in the form of the SDK: SDK v1 reads it from the schema of the message. */
  const toKey = (method: string) =>
    isV2 ? method : { ...ANY, shape: { method: { value: method } } };
  const shared = answerInputRequests(client, toKey(ELICITATION));
  const send: Send = ({ method, params }, options) => {
    const isCall = method === "tools/call";
    // On MCP 2026-07-28, input requests arrive as answers to calls.
    const allowInputRequired = isCall && shared !== undefined && isModern(client);
    const sent = allowInputRequired ? withCapability(client, params) : params;
    const request = () =>
      client.request({ method, params: sent }, ANY, {
        allowInputRequired,
        headers: options.headers,
        timeout: LONGEST_MS,
        onprogress: options.onProgress,
        // Clients leave listeners on the signal. Each request has its own signal, so the listeners end with it.
        signal: options.signal,
      });
    return explained(() => (isCall && shared ? shared.during(options, request) : request()));
  };
  return {
    ...toRequests(client, { send, takesHeaders: isV2 }),
    isOpen: () => !("transport" in client) || client.transport !== undefined,
    hasSession: () => client.transport?.sessionId !== undefined,
    instructions: () => client.getInstructions?.(),
    watch: (listener) => watchTools(client, { key: toKey(TOOLS_CHANGED), listener }),
  };
}

/** True if the client speaks MCP 2026-07-28. */
function isModern(client: SdkClient): boolean {
  return client.getProtocolEra?.() === "modern";
}

type Explain = <T>(request: () => Promise<T>) => Promise<T>;

/** By client, since several hosts may share one. */
const explainers = new WeakMap<object, Explain>();

/**
 * Adds the reason to the error of a lost connection, such as a message that is too long. A client tells
 * it to `onerror` alone. The application's `onerror` is still called.
 */
function explainErrors(client: SdkClient): Explain {
  const known = explainers.get(client);
  if (known) return known;
  let reason: Error | undefined;
  const { onerror } = client;
  client.onerror = (error) => {
    reason ??= error;
    onerror?.(error);
  };
  const explain: Explain = async (request) => {
    try {
      const answer = await request();
      reason = undefined;
      return answer;
    } catch (cause) {
      const { message, code } = Object(cause) as Error & { readonly code?: unknown };
      if (!reason || !/Connection closed$/.test(message)) throw cause;
      throw Object.assign(new Error(`${message}: ${reason.message}`, { cause }), { code });
    }
  };
  explainers.set(client, explain);
  return explain;
}

const ELICITATION = "elicitation/create";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Lets the host answer a server's input requests, unless the application has given its client its own handler. */
function answerInputRequests(client: SdkClient, key: unknown) {
  const hasHandler = client._requestHandlers?.has(ELICITATION) === true;
  const shared = shareAnswers(client, { hasHandler });
  try {
    if (shared) {
      client.setRequestHandler(key, ({ params }, { signal, mcpReq }) =>
        shared.answer(params, signal ?? mcpReq?.signal),
      );
    }
  } catch {
    // The client does not declare `elicitation`, so no server may ask.
  }
  return shared;
}

/** Adds the capability that lets a server answer the call with an input request. */
function withCapability({ _capabilities: own = {} }: SdkClient, params: JsonObject): JsonObject {
  const capabilities = { ...own, elicitation: { form: {}, url: {}, ...own.elicitation } };
  return { ...params, _meta: { ...Object(params._meta), [CAPABILITIES]: capabilities } };
}

const TOOLS_CHANGED = "notifications/tools/list_changed";

/** Watches the server's announcements. A client has one handler for each notification, so the application's handler is still called. */
function watchTools(
  client: SdkClient,
  { key, listener }: { readonly key: unknown; readonly listener: () => void },
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
  const installed = handlers?.get(TOOLS_CHANGED);
  const aborter = new AbortController();
  void listenForTools(client, { onOpen: listener, signal: aborter.signal });
  return () => {
    aborter.abort();
    if (installed === undefined || handlers?.get(TOOLS_CHANGED) !== installed) return;
    if (previous) handlers.set(TOOLS_CHANGED, previous);
    else client.removeNotificationHandler(TOOLS_CHANGED);
  };
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 60_000;

/** Subscribes to changes of the tools until `signal` aborts. `onOpen` runs whenever changes may have been missed. */
async function listenForTools(
  client: SdkClient,
  { onOpen, signal }: { readonly onOpen: () => void; readonly signal: AbortSignal },
): Promise<void> {
  if (!isModern(client) || client.autoOpenedSubscription) return;
  if (!client.getServerCapabilities?.()?.tools?.listChanged) return;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const since = performance.now();
    try {
      const opened = await client.listen?.({ toolsListChanged: true }, { signal, timeout: 10_000 });
      if (!opened?.honoredFilter.toolsListChanged) return;
      onOpen();
      await opened.closed;
    } catch (cause) {
      if ((cause as { code?: unknown } | undefined)?.code === -32601) return; // The server does not know the method.
    }
    if (signal.aborted) return;
    // A server that ends each subscription at once is asked less and less often.
    if (performance.now() - since > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS;
    await rest(waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}
