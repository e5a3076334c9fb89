import {
  type CallOptions,
  type ChainResult,
  type Decision,
  type Host,
  type PendingCall,
  type Tool,
  ToolrailError,
} from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { createPauses, engineOf, isForApps, isLeftOut, RESOURCES } from "@toolrail/core/plugin";
import { type JsonObject, quoted } from "@toolrail/json";
import { type AppRef, type AppView, appUri, readView } from "./app-view.ts";
import {
  type AppRequest,
  failure,
  type RequestId,
  readRequest,
  success,
  toListed,
  toResult,
  unknownTool,
} from "./json-rpc.ts";
import { mayRequest } from "./request-rate.ts";

/** Options of `createAppCalls`: the app, the conversation and the limits. */
export interface AppCallOptions extends AppRef, Pick<CallOptions, "context" | "userText"> {
  /** The unique id of the conversation in which the app is shown. */
  readonly conversation: string;
  /** The maximum number of requests of this app in this conversation within a minute, in this process. Default 120. */
  readonly maxRequestsPerMinute?: number;
}

/** Options of one request: its signal and its progress listener. */
export type AppRequestOptions = Pick<CallOptions, "signal" | "onProgress">;

/** The answer to a request of an app, or a call that waits for a person's decision. Plain JSON. */
export type AppAnswer =
  /** A JSON-RPC response: `result`, or `error` with a `code` and a `message`. */
  | { readonly response: JsonObject }
  /** Nothing was called yet. Show `pending` to the user, outside of the app, and pass their decision to `decide`. */
  | { readonly id: string; readonly pending: PendingCall };

/** The calls of one app that is shown to a user. */
export interface AppCalls {
  /** Reads the app for the frame. Rejects like `host.call`, and with `not-allowed` if no tool of the server names the app. */
  view(options?: Pick<CallOptions, "signal">): Promise<AppView>;
  /**
   * Answers `tools/call`, `tools/list`, `resources/read` or `resources/list`, as the app has sent it. Errors and refusals become
   * JSON-RPC errors.
   */
  answer(request: unknown, options?: AppRequestOptions): Promise<AppAnswer>;
  /** Makes or refuses a waiting call. Only the first decision counts. The call waits again if its server needs input. */
  decide(id: string, decision: Decision, options?: AppRequestOptions): Promise<AppAnswer>;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<AppCallOptions>("createAppCalls", {
  server: "text",
  uri: "text",
  conversation: "id",
  context: "any",
  userText: ["text", "texts"],
  maxRequestsPerMinute: "number",
});

const checkRequest = /* @__PURE__ */ createOptionCheck<AppRequestOptions>("createAppCalls", {
  signal: "signal",
  onProgress: "function",
});

interface Waiting {
  readonly request: Pick<AppRequest, "id" | "method">;
  readonly app: AppRef;
  readonly chain: ChainResult & { readonly pending: PendingCall };
}

/**
 * Answers the calls of an app (MCP Apps) through the host: they pass all stages with `origin: { by: "app" }`. An app may call the
 * tools of its server whose visibility allows it. It receives whole results, since it is shown to the user. Their `nextTool` is
 * not followed. Throws `invalid-options`.
 */
export function createAppCalls(host: Host, options: AppCallOptions): AppCalls {
  checkOptions(options);
  const {
    server,
    uri,
    conversation,
    context,
    userText,
    maxRequestsPerMinute: maxRequests = 120,
  } = options;
  if (!(server && uri && conversation && maxRequests >= 1)) {
    throw new ToolrailError("invalid-options", NEEDS);
  }
  const engine = engineOf(host);
  const pauses = createPauses<Waiting>(engine, { kind: "app" });
  const app = { server, uri };
  const stated = { origin: { by: "app", ...app }, conversation, context, userText } as const;

  const findTools = async (): Promise<readonly Tool[]> => {
    await engine.settle();
    const serverTools = host.tools.filter(
      (tool) => tool.server === server && tool.name !== RESOURCES,
    );
    if (serverTools.some((tool) => appUri(tool) === uri)) return serverTools;
    const message = `No tool of the server "${quoted(server)}" names ${quoted(uri)} as its app.`;
    throw new ToolrailError("not-allowed", message);
  };
  const conclude = async (chain: ChainResult, request: Waiting["request"]): Promise<AppAnswer> => {
    const { runId, ended, pending, hops, error } = chain;
    if (pending && (ended === "needs-approval" || ended === "needs-input")) {
      const id = await pauses.keep({ request, app, chain: { runId, ended, hops, pending } });
      return { id, pending };
    }
    const [hop] = hops;
    if (!hop) throw error;
    const shown = isLeftOut(hop)
      ? { content: [{ type: "text", text: hop.output.message }], isError: true }
      : hop.result;
    return success(request.id, toResult(request.method, shown));
  };
  return {
    async view({ signal } = {}) {
      await findTools();
      return readView(host, { ...app, conversation, context, signal });
    },
    async answer(message, requestOptions = {}) {
      checkRequest(requestOptions, "answer");
      const request = readRequest(message);
      if ("response" in request) return request;
      const { id, method, name, arguments: args } = request;
      return attempt(id, async () => {
        const isFlood = !mayRequest(engine, {
          key: JSON.stringify([conversation, app]),
          maxRequests,
        });
        if (isFlood)
          throw new ToolrailError("denied", `${TOO_MANY} ${maxRequests} within a minute.`);
        const tools = (await findTools()).filter(isForApps);
        if (method === "tools/list") return success(id, { tools: tools.map(toListed) });
        const isKnown = tools.some((tool) => tool.name === name);
        if (method === "tools/call" && !isKnown) throw unknownTool(name);
        if (name === RESOURCES && !engine.services.resources) {
          throw new ToolrailError("not-allowed", NO_RESOURCES);
        }
        const call = { tool: { server, name }, arguments: args };
        return conclude(await host.run(call, { ...stated, ...requestOptions, follow: false }), {
          id,
          method,
        });
      });
    },
    async decide(id, decision, requestOptions = {}) {
      checkRequest(requestOptions, "decide");
      return attempt(null, async () => {
        const waiting = await pauses.find(id);
        const isOwn = waiting?.app.server === server && waiting.app.uri === uri;
        if (!isOwn || waiting.chain.pending.conversation !== conversation) throw nothingWaits();
        const { chain, request } = waiting;
        return attempt(request.id, async () => {
          if (!(await pauses.take(id))) throw nothingWaits();
          const options = { context, userText, ...requestOptions, follow: false };
          const ended = await host.resume(chain, decision, options).catch(async (cause) => {
            await pauses.keep(waiting, id); // The decision was invalid, so the call still waits.
            throw cause;
          });
          return conclude(ended, request);
        });
      });
    },
  };
}

async function attempt(id: RequestId, work: () => Promise<AppAnswer>): Promise<AppAnswer> {
  try {
    return await work();
  } catch (cause) {
    return failure(id, cause);
  }
}

function nothingWaits(): ToolrailError {
  const message = "Nothing waits for this answer any more: the app has to ask again.";
  return new ToolrailError("denied", message);
}

const NEEDS =
  "createAppCalls needs the server of the app, its uri, the conversation, and room for at least one request per minute.";
const TOO_MANY = "The app sends too many requests: at most";
const NO_RESOURCES =
  "This host reads no resources of the app's server: it needs `use: [resources()]`.";
