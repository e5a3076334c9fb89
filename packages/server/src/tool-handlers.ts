import { invalidOptions } from "@toolrail/core/internal";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { AskingModes } from "./offer.ts";
import {
  type Handler,
  handlersOf,
  innerOf,
  type McpServerLike,
  membersOf,
  type RequestContext,
  signalOf,
} from "./server-handlers.ts";

/** The handlers for a client's requests about tools. They receive the `params`. */
export interface ToolHandlers {
  list(): Promise<JsonObject>;
  call(params: JsonObject, context: RequestContext): Promise<JsonObject>;
}

/** The members of both SDKs' `Server` that are used here, besides its handlers. */
interface ServerLike {
  registerCapabilities(capabilities: JsonObject): void;
  getClientCapabilities(): { readonly elicitation?: object } | undefined;
  /** A method of v2 alone. */
  getNegotiatedProtocolVersion?(): string | undefined;
  setRequestHandler(method: string, handler: Handler): void;
  elicitInput(params: unknown, options: object): Promise<JsonObject>;
  sendToolListChanged(): Promise<void>;
  onclose?: (() => void) | undefined;
}

/**
 * Sets the handlers of `tools/list` and `tools/call` on a server without tools that is not connected yet. Throws
 * `invalid-options` for any other. `call` may return `input_required`. If the client's protocol has no such result, its user is
 * asked during the call.
 */
export function setToolHandlers(server: McpServerLike, { list, call }: ToolHandlers): void {
  const handlers = handlersOf(server);
  const inner = innerOf(server) as ServerLike;
  if (handlers.has("tools/call")) {
    throw invalidOptions(
      "This server has tools of its own. Pass one without tools, before it is connected.",
    );
  }
  inner.registerCapabilities({ tools: { listChanged: true } });
  const answer: Handler = ({ params }, context) => call(requestParams(params, context), context);
  if (inner.getNegotiatedProtocolVersion) {
    inner.setRequestHandler("tools/list", list);
    inner.setRequestHandler("tools/call", answer);
    return;
  }
  handlers.set("tools/list", list);
  handlers.set("tools/call", async ({ params }, context) => {
    for (let given = requestParams(params, context); ; ) {
      const result = await call(given, context);
      if (result.resultType !== "input_required") return result;
      const { requestState } = result;
      const inputResponses = await askEach(inner, result as unknown as Asked, context);
      given = { ...given, inputResponses, requestState };
    }
  });
}

interface Asked {
  readonly inputRequests: { readonly [key: string]: { readonly params: JsonObject } };
  readonly requestState: string;
}

const CANCELLED: JsonObject = { action: "cancel" };

/**
 * Asks for one form or page after another, as in protocols before MCP 2026-07-28. A page has an id there. A request that fails
 * counts as cancelled.
 */
async function askEach(
  server: ServerLike,
  { inputRequests, requestState }: Asked,
  context: RequestContext,
) {
  const { requestId } = membersOf(context);
  const signal = signalOf(context);
  const answers: { [key: string]: unknown } = {};
  for (const [at, [key, { params }]] of Object.entries(inputRequests).entries()) {
    const isPage = params.mode === "url";
    const asked = isPage ? { ...params, elicitationId: `${requestState}/${at}` } : params;
    const options = { signal, relatedRequestId: requestId, timeout: 2_147_483_647 };
    const answer = await server.elicitInput(asked, options).catch((cause) => {
      if (signal?.aborted) throw cause;
      return CANCELLED;
    });
    // An unreadable answer counts as cancelled, so that it is not asked for again without end.
    const isReadable = isPage || answer.action !== "accept" || isJsonObject(answer.content);
    answers[key] = isReadable ? answer : CANCELLED;
  }
  return answers;
}

/** Joins the params of a request and the parts that v2 moves to the context. */
function requestParams(params: unknown, context: RequestContext): JsonObject {
  const { inputResponses, requestState } = membersOf(context).mcpReq ?? {};
  return { ...(params as JsonObject), inputResponses, requestState: requestState?.() };
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Returns the ways in which the client of this request can ask its user. */
export function askingModes(server: McpServerLike, context: RequestContext): AskingModes {
  const stated = membersOf(context).mcpReq?.envelope?.[CAPABILITIES];
  const { elicitation } = Object(stated ?? (innerOf(server) as ServerLike).getClientCapabilities());
  const modes = Object.keys(Object(elicitation));
  // Before there were modes, `{}` meant forms.
  const form = elicitation !== undefined && (modes.length === 0 || modes.includes("form"));
  return { form, url: modes.includes("url") };
}

/**
 * Creates a function that starts to notify a client of changed tools. It is called when the client lists them, and stops when the
 * connection closes.
 */
export function createChangeNotifier(
  server: McpServerLike,
  watch: (notify: () => void) => () => void,
): () => void {
  const inner = innerOf(server) as ServerLike;
  let stop: (() => void) | undefined;
  return () => {
    if (stop) return;
    stop = watch(() => void inner.sendToolListChanged().catch(() => {}));
    const { onclose } = inner;
    inner.onclose = () => {
      stop?.();
      stop = undefined;
      inner.onclose = onclose;
      onclose?.();
    };
  };
}

export function isOverHttp(context: RequestContext): boolean {
  const { http, requestInfo } = membersOf(context);
  return http !== undefined || requestInfo !== undefined;
}

/** Creates `onProgress` if the client wants progress. */
export function progressTo(params: JsonObject, context: RequestContext) {
  const { progressToken } = Object(params._meta);
  const { sendNotification, mcpReq } = membersOf(context);
  if (progressToken === undefined) return {};
  const onProgress = (progress: object) => {
    const notification = {
      method: "notifications/progress",
      params: { ...progress, progressToken },
    };
    (mcpReq?.notify(notification) ?? sendNotification?.(notification))?.catch(() => {});
  };
  return { onProgress };
}
