import type { JsonObject } from "@toolrail/json";
import { isModern, type SdkClient } from "./sdk-client.ts";

/** Answers an `elicitation/create` of a server. `signal` aborts when the server no longer waits. */
export type Answer = (params: unknown, signal?: AbortSignal) => Promise<unknown>;

const ELICITATION = "elicitation/create";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Clients that a host answers for. */
const answered = new WeakSet<object>();

/**
 * Lets the host answer a server's input requests, unless the application has given its client its own handler. On MCP 2026-07-28
 * they arrive as answers to calls. Before, they arrive as requests, if the client declares `elicitation`.
 */
export function answerInputRequests(
  client: SdkClient,
  { key, answer }: { readonly key: unknown; readonly answer: Answer },
) {
  const isOwn = client._requestHandlers?.has(ELICITATION) === true && !answered.has(client);
  if (!isOwn) {
    try {
      client.setRequestHandler(key, ({ params }, { signal, mcpReq }) =>
        answer(params, signal ?? mcpReq?.signal),
      );
      answered.add(client);
    } catch {
      // The client does not declare `elicitation`, so no server may ask.
    }
  }
  const mayPause = () => !isOwn && isModern(client);
  return {
    mayAsk: () =>
      mayPause() || client.signsIn === true || client._capabilities?.elicitation?.url !== undefined,
    mayPause,
    /** Adds the capability that lets a server answer the call with an input request. */
    withCapability<Params extends JsonObject>(params: Params): Params {
      const { _capabilities: own = {} } = client;
      const capabilities = { ...own, elicitation: { form: {}, url: {}, ...own.elicitation } };
      const meta = params._meta as JsonObject | undefined;
      return { ...params, _meta: { ...meta, [CAPABILITIES]: capabilities } };
    },
  };
}
