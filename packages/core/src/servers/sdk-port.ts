import type { JsonObject } from "@toolrail/json";
import type { McpPort } from "../types/port.ts";
import { answerInputRequests } from "./client-input-requests.ts";
import { ANY, progressListener, type Send, toRequests } from "./client-requests.ts";
import { PING_TIMEOUT_MS, watchCutStreams } from "./cut-streams.ts";
import { reopenSession, type SdkClient } from "./sdk-client.ts";
import { TOOLS_CHANGED, watchTools } from "./watch-tools.ts";

export function sdkPort(client: SdkClient, { isV2 }: { readonly isV2: boolean }): McpPort {
  const explained = explainErrors(client);
  /** Writes a method in the form of the SDK: SDK v1 reads it from the schema of the message. */
  const toKey = (method: string) =>
    isV2 ? method : { ...ANY, shape: { method: { value: method } } };
  const inputRequests = answerInputRequests(client, toKey("elicitation/create"));
  const send: Send = ({ method, params }, options) => {
    const { timeoutMs, totalTimeoutMs, headers } = options;
    const allowInputRequired = method === "tools/call" && inputRequests.mayPause();
    const sent = allowInputRequired ? inputRequests.withCapability(params) : params;
    const request = () =>
      client.request({ method, params: sent }, ANY, {
        allowInputRequired,
        headers,
        // The SDK watches the total time only if the request has a progress listener.
        timeout: Math.min(timeoutMs, totalTimeoutMs),
        maxTotalTimeout: totalTimeoutMs,
        resetTimeoutOnProgress: true,
        onprogress: progressListener(options),
        // Clients leave listeners on the signal. Each run has its own signal, so the listeners end with it.
        signal: options.signal,
      });
    return explained(method === "tools/list" ? request() : inputRequests.during(options, request));
  };
  const requests = toRequests(client, { send, takesHeaders: isV2 });
  const isOpen = () => !("transport" in client) || client.transport !== undefined;
  const watch: McpPort["watch"] = (listener) =>
    watchTools({ client, key: toKey(TOOLS_CHANGED) }, listener);
  const instructions = () => client.getInstructions?.();
  const reopen = () => reopenSession(client);
  return { ...requests, isOpen, reopen, instructions, watch };
}

/** Waits for an answer. If its connection ended, its error also names the first error that the client has reported. */
type Explain = <T>(answer: Promise<T>) => Promise<T>;

const EXPLAIN = Symbol.for("toolrail.explain-errors");

/** Explains the errors of a client, once however many hosts have it. The application's `onerror` is still called. */
function explainErrors(client: Pick<SdkClient, "onerror" | "request">): Explain {
  const { onerror } = client;
  const known = (onerror as { readonly [EXPLAIN]?: Explain } | undefined)?.[EXPLAIN];
  if (known) return known;
  let first: Error | undefined;
  const ping = () => client.request({ method: "ping" }, ANY, { timeout: PING_TIMEOUT_MS });
  const { race: explain, ...streams } = watchCutStreams(ping, {
    onAnswer() {
      first = undefined;
    },
    explained(cause) {
      const { message, code } = Object(cause) as JsonObject;
      if (!first || !/Connection closed$/.test(String(message))) return cause;
      return Object.assign(new Error(`${message}: ${first.message}`, { cause }), { code });
    },
  });
  const onError = (error: Error) => {
    first ??= error;
    streams.onError(error);
    onerror?.(error);
  };
  client.onerror = Object.assign(onError, { [EXPLAIN]: explain });
  return explain;
}
