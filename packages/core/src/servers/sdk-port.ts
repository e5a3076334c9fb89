import type { McpPort } from "../types/port.ts";
import { answerInputRequests } from "./client-input-requests.ts";
import { ANY, LONGEST_MS, type Send, toRequests } from "./client-requests.ts";
import type { SdkClient } from "./sdk-client.ts";
import { TOOLS_CHANGED, watchTools } from "./watch-tools.ts";

export function sdkPort(client: SdkClient, { isV2 }: { readonly isV2: boolean }): McpPort {
  const explained = explainErrors(client);
  /** Writes a method in the form of the SDK: SDK v1 reads it from the schema of the message. */
  const toKey = (method: string) =>
    isV2 ? method : { ...ANY, shape: { method: { value: method } } };
  const inputRequests = answerInputRequests(client, toKey("elicitation/create"));
  const send: Send = ({ method, params }, options) => {
    const allowInputRequired = method === "tools/call" && inputRequests.mayPause();
    const sent = allowInputRequired ? inputRequests.withCapability(params) : params;
    const request = () =>
      client.request({ method, params: sent }, ANY, {
        allowInputRequired,
        headers: options.headers,
        // The host ends the request when its time is up: see `withinTime`.
        timeout: LONGEST_MS,
        onprogress: options.onProgress,
        // Clients leave listeners on the signal. Each request has its own signal, so the listeners end with it.
        signal: options.signal,
      });
    return explained(() =>
      method === "tools/list" ? request() : inputRequests.during(options, request),
    );
  };
  const requests = toRequests(client, { send, takesHeaders: isV2 });
  const isOpen = () => !("transport" in client) || client.transport !== undefined;
  const watch: McpPort["watch"] = (listener) =>
    watchTools({ client, key: toKey(TOOLS_CHANGED) }, listener);
  const instructions = () => client.getInstructions?.();
  const hasSession = () => client.transport?.sessionId !== undefined;
  return { ...requests, isOpen, hasSession, instructions, watch };
}

type Explain = <T>(request: () => Promise<T>) => Promise<T>;

/** By client, since several hosts may share one. */
const explainers = new WeakMap<object, Explain>();

/**
 * Adds the reason to the error of a lost connection, such as a program that has ended or a message that is too long. A client tells
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
