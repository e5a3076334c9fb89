import type {
  ListRequest,
  McpPort,
  PortOptions,
  RequestHeaders,
  ToolCallRequest,
} from "../call/port.ts";
import { rest } from "../call/until-aborted.ts";
import { invalidOptions } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import { shareAnswers } from "./shared-answers.ts";

/** A schema that accepts any result, since the host checks it. It has the forms of zod 3 (SDK v1, `@ai-sdk/mcp`) and of Standard Schema. */
export const ANY = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
  safeParseAsync: async (value: unknown) => ({ success: true, data: value }),
  "~standard": { version: 1, vendor: "toolrail", validate: (value: unknown) => ({ value }) },
};

/** The headers that the HTTP transport of SDK v2 (2.4.0) sets itself. It drops those of a request silently. */
const KEPT = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/i;

/** Throws for headers that a client would not send. A request must not go out without them. */
export function refuseLostHeaders(
  headers: RequestHeaders,
  { takesHeaders }: { readonly takesHeaders: boolean },
): void {
  const lost = Object.keys(headers).find((name) => !takesHeaders || KEPT.test(name));
  if (lost === undefined) return;
  const why = takesHeaders
    ? `SDK v2 sets the header "${lost}" itself`
    : "only SDK v2 (@modelcontextprotocol/client) supports headers for a single request";
  throw invalidOptions(
    `\`requestHeaders\`: nothing was sent, since ${why}. Give the transport an authProvider, or a fetch that adds it.`,
  );
}

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

/** The port of a client of an MCP SDK. */
export class SdkPort implements McpPort {
  readonly #client: SdkClient;
  readonly #isV2: boolean;
  readonly #errors: ToldErrors;
  /** Answers what the server asks, before MCP 2026-07-28. Absent if it may not ask, or the application answers. */
  readonly #answers: ReturnType<typeof shareAnswers>;

  constructor(client: SdkClient, { isV2 }: { readonly isV2: boolean }) {
    this.#client = client;
    this.#isV2 = isV2;
    this.#errors = errorsOf(client);
    const { _capabilities: own } = client;
    // A client that hides what it declares is asked.
    if ((own === undefined || own.elicitation) && !isModern(client)) {
      this.#answers = answerInputRequests(client, this.#toKey(ELICITATION));
    }
  }

  list({ cursor, meta }: ListRequest, options: PortOptions): Promise<unknown> {
    return this.#send({ method: "tools/list", params: { cursor, _meta: meta } }, options);
  }

  call({ meta, ...params }: ToolCallRequest, options: PortOptions): Promise<unknown> {
    const request = { method: "tools/call", params: { ...params, _meta: meta } };
    if (isModern(this.#client)) return this.#callModern(request, options);
    const send = () => this.#send(request, options);
    return this.#answers ? this.#answers.during(options, send) : send();
  }

  isOpen(): boolean {
    return !("transport" in this.#client) || this.#client.transport !== undefined;
  }

  hasSession(): boolean {
    return this.#client.transport?.sessionId !== undefined;
  }

  instructions(): string | undefined {
    return this.#client.getInstructions?.();
  }

  watch(listener: () => void): () => void {
    const stop = watchTools(this.#client, { key: this.#toKey(TOOLS_CHANGED), listener });
    if (!isModern(this.#client)) return stop;
    const aborter = new AbortController();
    void listenForTools(this.#client, { onOpen: listener, signal: aborter.signal });
    return () => {
      aborter.abort();
      stop();
    };
  }

  async close(): Promise<void> {
    await this.#client.close?.();
  }

  async #send(request: object, options: PortOptions, more?: object): Promise<unknown> {
    if (options.headers) refuseLostHeaders(options.headers, { takesHeaders: this.#isV2 });
    try {
      const answer = await this.#client.request(request, ANY, {
        headers: options.headers,
        timeout: options.timeoutMs,
        onprogress: options.onProgress,
        signal: options.signal,
        ...more,
      });
      this.#errors.first = undefined;
      return answer;
    } catch (cause) {
      throw explain(cause, this.#errors);
    }
  }

  /** On MCP 2026-07-28, input requests arrive as answers to calls. A server may ask only if the call declares it. */
  #callModern({ params, ...request }: { params: JsonObject }, options: PortOptions) {
    const { _requestHandlers: handlers, _capabilities: own } = this.#client;
    if (handlers?.has(ELICITATION)) return this.#send({ ...request, params }, options);
    const elicitation = { form: {}, url: {}, ...own?.elicitation };
    const _meta = { ...Object(params._meta), [CAPABILITIES]: { ...own, elicitation } };
    const asked = { ...request, params: { ...params, _meta } };
    return this.#send(asked, options, { allowInputRequired: true });
  }

  /** Writes a method in the form of the SDK: SDK v1 reads it from the schema of the message. */
  #toKey(method: string): unknown {
    return this.#isV2 ? method : { ...ANY, shape: { method: { value: method } } };
  }
}

/** True if the client speaks MCP 2026-07-28. */
function isModern(client: SdkClient): boolean {
  return client.getProtocolEra?.() === "modern";
}

/** What a client has told its `onerror` alone since its last answer, such as that a message is too long. */
interface ToldErrors {
  first?: Error | undefined;
}

/** By client, since several hosts may share one. */
const toldErrors = new WeakMap<SdkClient, ToldErrors>();

/** Keeps what a client tells its `onerror`. The application's `onerror` is still called. */
function errorsOf(client: SdkClient): ToldErrors {
  const known = toldErrors.get(client);
  if (known) return known;
  const errors: ToldErrors = {};
  const { onerror } = client;
  client.onerror = (error) => {
    errors.first ??= error;
    onerror?.(error);
  };
  toldErrors.set(client, errors);
  return errors;
}

/** Adds the reason to the error of a lost connection. */
function explain(cause: unknown, { first }: ToldErrors): unknown {
  const { message, code } = Object(cause) as Error & { readonly code?: unknown };
  if (!first || !/Connection closed$/.test(message)) return cause;
  return Object.assign(new Error(`${message}: ${first.message}`, { cause }), { code });
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
    return undefined; // The client does not declare `elicitation`, so no server may ask.
  }
  return shared;
}

const TOOLS_CHANGED = "notifications/tools/list_changed";

/** Watches the server's announcements. A client has one handler for each notification, so the application's handler is still called. */
function watchTools(
  client: SdkClient,
  { key, listener }: { readonly key: unknown; readonly listener: () => void },
): () => void {
  const { _notificationHandlers: handlers } = client;
  const previous = handlers?.get(TOOLS_CHANGED);
  const both: NotificationHandler = (...notification) => {
    listener();
    return previous?.(...notification);
  };
  if (previous) handlers?.set(TOOLS_CHANGED, both);
  else client.setNotificationHandler(key, listener);
  const installed = handlers?.get(TOOLS_CHANGED);
  return () => {
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
  if (client.autoOpenedSubscription) return;
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
