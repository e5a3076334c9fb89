import { askedTooOften } from "../call/ask-user.ts";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import type { PortOptions } from "../types/port.ts";
import { isModern, type SdkClient } from "./sdk-client.ts";

type OnElicitation = NonNullable<PortOptions["onElicitation"]>;

const ELICITATION = "elicitation/create";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The calls that are under way on a client, in order, with the port through which each is made. */
const underWay = new WeakMap<
  object,
  Set<{ readonly port: object; onElicitation: OnElicitation }>
>();

/**
 * Answers the input requests of a client before MCP 2026-07-28. Such a request names no call, so the oldest call that may still
 * ask answers it. Several hosts may share a client, each for another user: then only one of them may be making calls. Returns
 * `undefined` if the application has its own handler.
 */
export function shareAnswers(client: object, { hasHandler }: { readonly hasHandler: boolean }) {
  if (hasHandler && !underWay.has(client)) return undefined;
  const calls = underWay.get(client) ?? new Set();
  underWay.set(client, calls);
  const port = {};
  return {
    async answer(params: unknown, signal?: AbortSignal): Promise<unknown> {
      if (new Set([...calls].map((call) => call.port)).size > 1) throw unclear(SHARED);
      for (const { onElicitation } of calls) {
        const answer = onElicitation(params, signal);
        if (answer) return answer;
      }
      throw calls.size > 0 ? askedTooOften("The server") : unclear(NO_CALL);
    },
    /** Runs a request during which the server may ask. */
    async during<T>({ onElicitation }: PortOptions, request: () => Promise<T>): Promise<T> {
      if (!onElicitation) return request();
      const call = { port, onElicitation };
      calls.add(call);
      try {
        return await request();
      } finally {
        calls.delete(call);
      }
    },
  };
}

const SHARED = "Several hosts share this client, so it is unclear whose user has to answer.";
const NO_CALL = "The server may ask the user only while one of its tools is called.";

function unclear(why: string): ToolrailError {
  return new ToolrailError("needs-input", why);
}

/**
 * Lets the host answer a server's input requests, unless the application has given its client its own handler. On MCP 2026-07-28
 * they arrive as answers to calls. Before, they arrive as requests, if the client declares `elicitation`.
 */
export function answerInputRequests(client: SdkClient, key: unknown) {
  const hasHandler = client._requestHandlers?.has(ELICITATION) === true;
  const shared = shareAnswers(client, { hasHandler });
  if (shared) {
    try {
      client.setRequestHandler(key, ({ params }, { signal, mcpReq }) =>
        shared.answer(params, signal ?? mcpReq?.signal),
      );
    } catch {
      // The client does not declare `elicitation`, so no server may ask.
    }
  }
  return {
    /** True if a call may be answered with an input request (MCP 2026-07-28). */
    mayPause: () => shared !== undefined && isModern(client),
    during<T>(options: PortOptions, request: () => Promise<T>): Promise<T> {
      return shared ? shared.during(options, request) : request();
    },
    /** Adds the capability that lets a server answer the call with an input request. */
    withCapability<Params extends JsonObject>(params: Params): Params {
      const { _capabilities: own = {} } = client;
      const capabilities = { ...own, elicitation: { form: {}, url: {}, ...own.elicitation } };
      const meta = params._meta as JsonObject | undefined;
      return { ...params, _meta: { ...meta, [CAPABILITIES]: capabilities } };
    },
  };
}
