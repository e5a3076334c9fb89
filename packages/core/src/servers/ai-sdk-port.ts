import type { JsonObject } from "@toolrail/json";
import { withOwnSignal } from "../call/until-aborted.ts";
import type { McpPort, Progress } from "../types/port.ts";
import { shareAnswers } from "./client-input-requests.ts";
import { ANY, progressListener, type Send, toRequests } from "./client-requests.ts";
import { PING_TIMEOUT_MS, watchCutStreams } from "./cut-streams.ts";

/** The members of the `@ai-sdk/mcp` client that are used here. */
export interface AiSdkClient {
  request(parameters: object): Promise<unknown>;
  close?(): PromiseLike<void>;
  /** These members are private in 1.0.101 and 2.0.99, which offer no other way. 1.0.101 has neither `requestOnce` nor `protocolEra`. */
  readonly isClosed?: boolean;
  readonly transport?: MessageTransport;
  readonly protocolEra?: string;
  readonly clientCapabilities?: JsonObject;
  elicitationRequestHandler?: (request: { readonly params?: unknown }) => Promise<unknown>;
  requestOnce?(parameters: object): Promise<unknown>;
  readonly instructions?: string;
}

interface MessageTransport {
  onmessage?: ((message: JsonObject) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Puts a port in front of a client of `@ai-sdk/mcp`. The port reports no changes of the tool list: `host.refresh()` reads them. */
export function aiSdkPort(client: AiSdkClient): McpPort {
  const hasHandler = client.elicitationRequestHandler !== undefined;
  const shared = client.clientCapabilities?.elicitation
    ? shareAnswers(client, { hasHandler })
    : undefined;
  if (shared) client.elicitationRequestHandler = ({ params }) => shared.answer(params);
  const mayAsk = () => Boolean(shared && client.requestOnce) && client.protocolEra === "modern";
  const withProgress = hearProgress(client.transport);
  const streams = watchCutStreams(() =>
    withOwnSignal({ timeoutMs: PING_TIMEOUT_MS }, (own) => {
      const options = { signal: own, abortSignal: own };
      // The client cannot send a ping. Reading the list changes nothing either.
      return client.request({ request: { method: "tools/list" }, resultSchema: ANY, options });
    }),
  );
  hearErrors(client.transport, streams.onError);
  const send: Send = ({ method, params }, options) => {
    const { signal, timeoutMs, totalTimeoutMs } = options;
    const onProgress = progressListener(options);
    const ask = (own: AbortSignal, progressToken?: string) => {
      const meta = progressToken && { progressToken, ...(params._meta as JsonObject | undefined) };
      const request = { method, params: meta ? { ...params, _meta: meta } : params };
      const asked = { request, resultSchema: ANY, options: { signal: own, abortSignal: own } };
      if (!shared || method === "tools/list") return client.request(asked);
      const once = method === "tools/call" && mayAsk() ? client.requestOnce : undefined;
      return shared.during(
        options,
        () => once?.call(client, { ...asked, allowInputRequired: true }) ?? client.request(asked),
      );
    };
    return withOwnSignal({ signal, timeoutMs: totalTimeoutMs }, (whole) =>
      withOwnSignal({ signal: whole, timeoutMs }, (own, restart) => {
        if (!onProgress) return streams.race(ask(own));
        const listener = (progress: Progress) => {
          restart();
          onProgress(progress);
        };
        return withProgress(listener, (token) => streams.race(ask(own, token)));
      }),
    );
  };
  const requests = toRequests(client, { send, takesHeaders: false });
  const isOpen = () => client.isClosed !== true;
  return { ...requests, isOpen, instructions: () => client.instructions };
}

function hearErrors(transport: MessageTransport | undefined, listener: (error: Error) => void) {
  if (!transport) return;
  const previous = transport.onerror;
  transport.onerror = (error) => {
    listener(error);
    previous?.call(transport, error);
  };
}

/** Watches the server's progress notifications. Returns a function that listens to one call, by the token sent with it. */
function hearProgress(transport: MessageTransport | undefined) {
  const listeners = new Map<unknown, (progress: Progress) => void>();
  const previous = transport?.onmessage;
  if (transport && previous) {
    transport.onmessage = (message) => {
      const { method, params } = message;
      const { progressToken: token, ...progress } = (params ?? {}) as JsonObject;
      const listener = method === "notifications/progress" ? listeners.get(token) : undefined;
      if (!listener) previous.call(transport, message);
      else if (typeof progress.progress === "number") listener(progress as unknown as Progress);
    };
  }
  return async <T>(
    onProgress: (progress: Progress) => void,
    send: (progressToken: string) => Promise<T>,
  ): Promise<T> => {
    const token = crypto.randomUUID();
    listeners.set(token, onProgress);
    try {
      return await send(token);
    } finally {
      listeners.delete(token);
    }
  };
}
