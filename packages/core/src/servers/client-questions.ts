import type { JsonObject } from "../json.ts";
import { isModern, type ListeningClient } from "./listen-tools.ts";

/** Answers an `elicitation/create` of a server; `signal` aborts when no call is open any more that may have asked. */
export type Answer = (params: unknown, signal: AbortSignal) => Promise<unknown>;

const ELICITATION = "elicitation/create";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** What an SDK client has for requests of its server. */
export interface AskedClient extends ListeningClient {
  setRequestHandler(key: unknown, handler: QuestionHandler): void;
  /** Private in both SDKs (1.32.2, 2.4.0), which offer no way to read either. */
  readonly _requestHandlers?: Map<string, unknown>;
  readonly _capabilities?: JsonObject & { readonly elicitation?: JsonObject };
}

type QuestionHandler = (
  request: { readonly params?: unknown },
  extra: { readonly signal?: AbortSignal; readonly mcpReq?: { readonly signal?: AbortSignal } },
) => Promise<unknown>;

const answered = new WeakSet<object>();

/**
 * Lets the host answer the questions of a server, where the application has not given its client a handler of its own.
 * On MCP 2026-07-28 they come as answers to calls; before, as requests, if the client declares `elicitation`.
 */
export function answerQuestions(
  client: AskedClient,
  { key, answer }: { readonly key: unknown; readonly answer: Answer },
) {
  const isOwn = client._requestHandlers?.has(ELICITATION) === true && !answered.has(client);
  const calls = openCalls();
  let listens = false;
  if (!isOwn) {
    try {
      client.setRequestHandler(key, ({ params }, { signal, mcpReq }) =>
        calls.whileOpen((open) => answer(params, open), signal ?? mcpReq?.signal),
      );
      answered.add(client);
      listens = true;
    } catch {
      // It does not declare `elicitation`, so that no server may ask.
    }
  }
  const mayAsk = () => !isOwn && isModern(client);
  return {
    mayAsk,
    /** Counts a call for as long as it is open. */
    count: <T>(call: Promise<T>): Promise<T> => (listens ? calls.count(call) : call),
    /** A call as it says that its answer may be a question. */
    withCapability<Params extends JsonObject>(params: Params): Params {
      const { _capabilities: own = {} } = client;
      const capabilities = { ...own, elicitation: { form: {}, ...own.elicitation } };
      const meta = params._meta as JsonObject | undefined;
      return { ...params, _meta: { ...meta, [CAPABILITIES]: capabilities } };
    },
  };
}

/** The open calls of a client. Which of them asks, no server says: a question holds until all are over. */
export function openCalls() {
  let count = 0;
  let idle = new AbortController();
  return {
    async count<T>(call: Promise<T>): Promise<T> {
      count++;
      try {
        return await call;
      } finally {
        count--;
        if (count === 0) {
          idle.abort(new Error("The call that asked is over."));
          idle = new AbortController();
        }
      }
    },
    whileOpen: <T>(ask: (open: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> =>
      ask(signal ? AbortSignal.any([idle.signal, signal]) : idle.signal),
  };
}
