import type { JsonObject } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import { isModern, type SdkClient } from "./sdk-client.ts";

/** Answers an `elicitation/create` of a server. `signal` aborts when the server no longer waits. */
export type Answer = (params: unknown, signal?: AbortSignal) => Promise<unknown>;

const ELICITATION = "elicitation/create";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The hosts that share a client. */
interface Sharing {
  readonly first: Answer;
  isShared: boolean;
  /** The hosts that are making calls, with their number. */
  readonly calling: Map<Answer, number>;
}

const sharing = new WeakMap<object, Sharing>();

/**
 * Answers the input requests of a client, which several hosts may share, each for another user. Such a request names no call, so it
 * goes to the one host that is making calls. Returns `undefined` if the application has its own handler.
 */
export function shareAnswers(
  client: object,
  { answer, hasHandler }: { readonly answer: Answer; readonly hasHandler: boolean },
) {
  if (hasHandler && !sharing.has(client)) return undefined;
  const hosts = sharing.get(client) ?? { first: answer, isShared: false, calling: new Map() };
  sharing.set(client, hosts);
  hosts.isShared ||= hosts.first !== answer;
  const { first, calling } = hosts;
  const chosen: Answer = async (params, signal) => {
    const [one = hosts.isShared ? undefined : first, other] = calling.keys();
    if (one && !other) return one(params, signal);
    const message = "Several hosts share this client, so it is unclear whose user has to answer.";
    throw new ToolrailError("needs-input", message);
  };
  /** Runs a request during which the server may ask. */
  const during = async <T>(request: () => Promise<T>): Promise<T> => {
    calling.set(answer, (calling.get(answer) ?? 0) + 1);
    try {
      return await request();
    } finally {
      const left = (calling.get(answer) ?? 1) - 1;
      if (left > 0) calling.set(answer, left);
      else calling.delete(answer);
    }
  };
  return { answer: chosen, during };
}

/**
 * Lets the host answer a server's input requests, unless the application has given its client its own handler. On MCP 2026-07-28
 * they arrive as answers to calls. Before, they arrive as requests, if the client declares `elicitation`.
 */
export function answerInputRequests(
  client: SdkClient,
  { key, answer }: { readonly key: unknown; readonly answer: Answer },
) {
  const hasHandler = client._requestHandlers?.has(ELICITATION) === true;
  const shared = shareAnswers(client, { answer, hasHandler });
  let during = <T>(request: () => Promise<T>) => request();
  if (shared) {
    try {
      client.setRequestHandler(key, ({ params }, { signal, mcpReq }) =>
        shared.answer(params, signal ?? mcpReq?.signal),
      );
      during = shared.during;
    } catch {
      // The client does not declare `elicitation`, so no server may ask.
    }
  }
  const mayPause = () => shared !== undefined && isModern(client);
  return {
    mayPause,
    during,
    /** Adds the capability that lets a server answer the call with an input request. */
    withCapability<Params extends JsonObject>(params: Params): Params {
      const { _capabilities: own = {} } = client;
      const capabilities = { ...own, elicitation: { form: {}, url: {}, ...own.elicitation } };
      const meta = params._meta as JsonObject | undefined;
      return { ...params, _meta: { ...meta, [CAPABILITIES]: capabilities } };
    },
  };
}
