import type { JsonObject } from "@toolrail/json";
import { isModern, type SdkClient } from "./sdk-client.ts";

/** Answers an `elicitation/create` of a server; `signal` aborts when the server does not wait any more. */
export type Answer = (params: unknown, signal?: AbortSignal) => Promise<unknown>;

const ELICITATION = "elicitation/create";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Clients that a host answers for. */
const answered = new WeakSet<object>();

/**
 * Lets the host answer the questions of a server, where the application has not given its client a handler of its own.
 * On MCP 2026-07-28 they come as answers to calls; before, as requests, if the client declares `elicitation`.
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
      // It does not declare `elicitation`, so that no server may ask.
    }
  }
  const mayPause = () => !isOwn && isModern(client);
  return {
    mayAsk: () =>
      mayPause() || client.signsIn === true || client._capabilities?.elicitation?.url !== undefined,
    mayPause,
    /** A call as it says that its answer may be a question. */
    withCapability<Params extends JsonObject>(params: Params): Params {
      const { _capabilities: own = {} } = client;
      const capabilities = { ...own, elicitation: { form: {}, url: {}, ...own.elicitation } };
      const meta = params._meta as JsonObject | undefined;
      return { ...params, _meta: { ...meta, [CAPABILITIES]: capabilities } };
    },
  };
}
